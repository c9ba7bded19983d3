import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createServices } from '../main/app/services'
import { startProgram } from '../main/platform/child-process/start-program'
import { type Launch, runHelper } from '../main/privilege/helper-client'
import { createStartTunnel } from '../main/tunnel/openvpn/start-openvpn.testing'
import { type OpenVpnConfiguration, buildConfiguration } from '../main/tunnel/openvpn/configuration'
import type { OpenVpnTunnel } from '../main/tunnel/tunnel'
import { createMockServer } from '../mock-server/server'
import { builtHelper } from '../scripts/build-helper'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'

/** `npm run bench -- connect`: from spawn until connected, over a veth pair to the mock's network namespace. */
export async function benchConnect(folder: string): Promise<Figure[]> {
  const server = await createMockServer({ autoApprove: true, tunnel: 'openvpn', tunnelHooks: false })
  const services = createServices({
    dataDir: folder,
    secretStore: 'file',
    openBrowser: async (url) => {
      await fetch(url)
    },
    onNotice: () => undefined,
  })
  try {
    if (server.tunnel.mode !== 'full')
      throw new Error('The benchmarks need a tunnel with a device: run them as root, with /dev/net/tun.')
    const instance = await services.addInstance({ address: server.instance })
    await services.session(instance).logIn()
    const portal = await services.portal(instance)
    const { signal } = new AbortController()
    const wanted = { remoteStrategy: undefined, preferTcp: false }
    const { tunnel } = await portal.connect('internet', wanted, signal)
    if (tunnel.protocol !== 'openvpn') throw new Error('The mock server grants OpenVPN.')
    const figures: Figure[] = []
    for (const protocol of ['udp', 'tcp'] as const)
      figures.push(...(await compareTimes(folder, protocol, tunnel, 20)))
    return figures
  } finally {
    await services.dispose()
    await server.close()
  }
}

/** Compares Causeway, with its own rights and through the helper, with OpenVPN started by hand, taking turns. */
async function compareTimes(
  folder: string,
  protocol: 'udp' | 'tcp',
  tunnel: OpenVpnTunnel,
  runs: number,
): Promise<Figure[]> {
  const configuration = buildConfiguration(tunnel.profile, tunnel, {
    platform: process.platform,
    mode: 'full',
    preferTcp: protocol === 'tcp',
  })
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    return file
  }
  const file = await write(`${protocol}.ovpn`, configuration.text)
  // As a portal serves it, with the lines for the other transport left out.
  const otherRemotes = protocol === 'tcp' ? /^remote .* udp\d?$/gm : /^remote .* tcp\S*$/gm
  const served = await write(
    `served-${protocol}.ovpn`,
    `${tunnel.profile.replace(otherRemotes, '')}
<cert>
${tunnel.certificate.trim()}
</cert>
<key>
${tunnel.privateKey.trim()}
</key>
`,
  )
  const direct = createStartTunnel()
  // As an installation does: each start of the very file that Go's linker wrote takes a sixth of a millisecond more, until it
  // is read from the disk again.
  const helper = join(folder, 'causeway-helper')
  await copyFile(builtHelper, helper)
  const launch: Launch = (request) => runHelper({ helper, elevation: 'root' }, request)
  const throughHelper = createStartTunnel({ findPrivileged: () => Promise.resolve(launch) })
  const rounds = await takeTurns(runs, {
    bare: () => withOpenVpn(file),
    direct: () => withCauseway(direct, configuration),
    helper: () => withCauseway(throughHelper, configuration),
    served: () => withOpenVpn(served),
  })
  const over = `over ${protocol.toUpperCase()}`
  const bare = { what: 'OpenVPN alone', values: rounds.bare }
  return [
    {
      what: `connected ${over}, with own rights`,
      unit: 'ms',
      own: rounds.direct,
      beside: bare,
      goal: { atMost: 1.05 },
      why: 'setpriv, which ties OpenVPN to the life of Causeway, takes half a millisecond to a whole one, and reading the routes from the kernel half of one.',
    },
    {
      what: `connected ${over}, through the helper`,
      unit: 'ms',
      own: rounds.helper,
      beside: bare,
      goal: { atMost: 1.25 },
      why: 'the helper starts first, which takes a millisecond, and half of one goes into checking the request and into starting OpenVPN from it; its watcher, the log that passes through it, and reading the routes from the kernel share the processors with OpenVPN and its server.',
    },
    {
      what: `connected ${over}, with own rights`,
      unit: 'ms',
      own: rounds.direct,
      beside: { what: 'OpenVPN with what the portal serves', values: rounds.served },
      // Without TCP_NODELAY, OpenVPN's handshake waits for acknowledgements.
      goal: protocol === 'tcp' ? { atMost: 0.5 } : undefined,
    },
  ]
}

async function withCauseway(
  startTunnel: ReturnType<typeof createStartTunnel>,
  configuration: OpenVpnConfiguration,
): Promise<number> {
  const began = performance.now()
  let connected: (milliseconds: number) => void
  const time = new Promise<number>((resolve) => {
    connected = resolve
  })
  const tunnel = await startTunnel({
    configuration,
    mode: 'full',
    onEvent: ({ event }) => {
      if (event === 'connected') connected(performance.now() - began)
    },
  })
  const outcome = await Promise.race([time, tunnel.ended])
  await tunnel.stop()
  if (typeof outcome !== 'number') throw new Error('Causeway did not connect', { cause: outcome })
  return outcome
}

/** Returns the milliseconds that OpenVPN takes by hand. It starts as Causeway starts it: execa took half of one more. */
export async function withOpenVpn(configurationFile: string): Promise<number> {
  const began = performance.now()
  const openVpn = startProgram(
    ['openvpn', '--config', configurationFile, '--verb', '3', '--script-security', '1'],
    { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  )
  const limit = setTimeout(() => {
    openVpn.kill('SIGKILL')
  }, 30_000)
  let connectedAt: number | undefined
  for await (const line of createInterface({ input: openVpn.stdout })) {
    if (!line.includes('Initialization Sequence Completed')) continue
    connectedAt = performance.now()
    openVpn.kill('SIGTERM')
  }
  await openVpn.ended
  clearTimeout(limit)
  if (connectedAt === undefined) throw new Error('OpenVPN did not connect')
  return connectedAt - began
}
