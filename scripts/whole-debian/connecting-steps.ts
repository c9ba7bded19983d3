import {
  asPerson,
  asRoot,
  askAddress,
  asksTunnel,
  connect,
  disconnect,
  expect,
  expectNothingPasses,
  families,
  isDirect,
  look,
  type Protocol,
  protocols,
  type Stage,
  type Step,
} from './stage'

/** Each protocol, with everything through the tunnel, on one network and the next. */
export const connectingSteps: readonly Step[] = protocols.flatMap((protocol) => [
  {
    name: `${protocol}: everything uses the tunnel, over IPv4 and IPv6, and nothing is left afterwards`,
    run: async (stage: Stage) => {
      await connect(stage, protocol)
      await expectTunnel(stage, protocol)
      await disconnect(stage)
    },
  },
  {
    name: `${protocol}: goes on when the network changes, and nothing passes it meanwhile (kill switch)`,
    run: async (stage: Stage) => {
      await asPerson(stage, 'causeway settings set killSwitch true')
      await connect(stage, protocol)
      await expectNothingPasses(stage, () => changeNetworks(stage, protocol))
      await disconnect(stage)
    },
  },
])

/** Leaves the network for the other one, and comes back. */
async function changeNetworks(stage: Stage, protocol: Protocol): Promise<void> {
  const used = await asRoot(stage, "ip route show default | grep -o 'dev eth.' | cut -c5-")
  const [first, second] = [...new Set(used.trim().split('\n'))]
  expect(first !== undefined && second !== undefined, `networks: ${used}`)
  await asRoot(stage, `nmcli device disconnect ${first}`)
  await expectTunnel(stage, protocol)
  await asRoot(stage, `nmcli device connect ${first}; nmcli device disconnect ${second}`)
  await expectTunnel(stage, protocol)
  await asRoot(stage, `nmcli device connect ${second}`)
}

/** Expects that what the person sends comes out of the tunnel, and that the app says so. */
export async function expectTunnel(stage: Stage, protocol: Protocol): Promise<void> {
  for (const family of families) {
    // A change of the network may take it some seconds.
    const seen = await asPerson(
      stage,
      `for try in $(seq 30); do seen=$(${askAddress(family)}); case $seen in *:*:*|*.*.*.*) break; esac; sleep 1; done; echo "$seen"`,
      400,
    )
    expect(/^[\da-f:.]+$/.test(seen.trim()) && !isDirect(seen), `over ${family}, the internet sees ${seen}`)
  }
  const status = await asPerson(stage, 'causeway status --json')
  expect(/"state": ?"connected"/.test(status) && /"allTraffic": ?true/.test(status), status)
  const devices = await asRoot(
    stage,
    `ip -oneline link show type ${protocol === 'wireguard' ? 'wireguard' : 'tun'}`,
  )
  expect(devices.trim() !== '', `no device of ${protocol}`)
  const found = await look(stage)
  expect(asksTunnel(stage, found), `names: ${found}`)
}
