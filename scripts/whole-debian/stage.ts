import type { Release } from './guest'
import type { Machine } from './machine'
import { internet, internetBytes, networks, portal, type World } from './world'

/** What the steps work with. */
export interface Stage {
  readonly release: Release
  readonly machine: Machine
  readonly world: World
  /** What the apps' steps have counted. */
  readonly captured: Captured[]
}

/** The packets of an app that a network card has sent in the clear (`outside`), and that have come out of a tunnel. */
export interface AppCount {
  readonly outside: number
  readonly inside: number
}

/** The packets of the listed app and of another one. */
export interface Captured {
  readonly protocol: Protocol
  readonly family: (typeof families)[number]
  readonly mode: 'except' | 'only'
  readonly killSwitch: boolean
  readonly tunnel: 'up' | 'gone'
  readonly listed: AppCount
  readonly other: AppCount
}

/** A part of the proof; it rejects, with what was seen, if something isn't as expected. */
export interface Step {
  /** As the table has it. */
  readonly name: string
  readonly run: (stage: Stage) => Promise<void>
}

/** Throws an Error with what was seen, unless it is as expected. */
export function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}

async function run(
  { machine }: Stage,
  port: 'root' | 'person',
  script: string,
  seconds?: number,
): Promise<string> {
  const { status, output } = await machine.run(port, `set -eo pipefail\n${script}`, seconds)
  expect(status === 0, `status ${status} of ${script.trim()}: ${output.trim()}`)
  return output
}

export const asRoot = (stage: Stage, script: string, seconds?: number) => run(stage, 'root', script, seconds)
/** The person has no key store, as on a server (docs/terminal.md). */
export const asPerson = (stage: Stage, script: string, seconds?: number) =>
  run(stage, 'person', `export CAUSEWAY_SECRET_STORE=file\n${script}`, seconds)

/** Sets the machine's clock, which falls behind while it is busy: it counts instructions. */
export const setClock = (stage: Stage) => asRoot(stage, `date --set=@${Math.ceil(Date.now() / 1000)}`)

/** Returns what waits in the machine until a command succeeds. */
export const until = (command: string) => `until ${command}; do sleep 0.5; done`

export const families = ['ipv4', 'ipv6'] as const

/** Returns a command that prints the address that a host of the internet sees, or why nothing came through. */
export const askAddress = (
  family: (typeof families)[number],
  host: Record<typeof family, string> = internet,
) =>
  `timeout 10 bash -c 'exec 4<>/dev/tcp/${host[family]}/${internet.port}; read -r address <&4; echo "$address"' 2>&1 || true`

/** Returns whether an address that the internet sees is the machine's own, outside any tunnel. */
export const isDirect = (seen: string) =>
  Object.values(networks).some(({ net, net6 }) => seen.startsWith(net) || seen.startsWith(net6))

export const protocols = ['openvpn', 'wireguard'] as const
export type Protocol = (typeof protocols)[number]

/** Connects to the profile for all traffic, and returns when it is up. */
export const connect = (stage: Stage, protocol: Protocol) =>
  asPerson(stage, `causeway connect everywhere --tunnel ${protocol} --detach --wait 200`, 300)

/**
 * Runs something while a program of the person asks the internet again and again, and expects that none of it leaves outside the tunnel,
 * which has the kill switch.
 */
export async function expectNothingPasses(stage: Stage, run: () => Promise<void>): Promise<void> {
  const before = await stage.machine.sentTo(internetBytes)
  const ask = (['ipv4', 'ipv6'] as const).map((family) => `${askAddress(family)}; `).join('')
  await asPerson(
    stage,
    `cd; (while [ ! -e stop ]; do ${ask}sleep 0.1; done >asked 2>&1 </dev/null) & echo $! >asking`,
  )
  await run()
  await asPerson(
    stage,
    'cd; touch stop; while kill -0 "$(cat asking)" 2>/dev/null; do sleep 0.2; done; rm stop',
  )
  const passed = (await stage.machine.sentTo(internetBytes)) - before
  expect(passed === 0, `${passed} packets have left outside the tunnel`)
}

/** Disconnects, and expects that the network is as before. */
export async function disconnect(stage: Stage): Promise<void> {
  await asPerson(stage, 'causeway disconnect --wait')
  await expectNothingLeft(stage)
}

/** Expects that the network is as if nothing had been connected. */
export async function expectNothingLeft(stage: Stage): Promise<void> {
  const seen = await asPerson(stage, askAddress('ipv4'))
  expect(isDirect(seen), `the internet sees ${seen}`)
  const left = await asRoot(
    stage,
    `nft list ruleset
ip -oneline link show type tun
ip -oneline link show type wireguard
for family in -4 -6; do ip $family rule | grep -Ev '^(0|32766|32767):' || true; done
pgrep -a causeway-help || true
pgrep -a causeway-wire || true
pgrep -ax openvpn || true`,
  )
  expect(left.trim() === '', `left: ${left}`)
  const found = await look(stage)
  expect(found.includes(internet.ipv4) && !asksTunnel(stage, found), `names: ${found}`)
}

/** Looks a name up, and returns the answer and who was asked. */
export const look = (stage: Stage) =>
  asRoot(
    stage,
    stage.release.resolver === 'systemd-resolved'
      ? 'resolvectl query --cache=no somewhere.example'
      : 'cat /etc/resolv.conf; getent ahostsv4 somewhere.example',
  )

/** Returns whether the DNS servers of a tunnel were asked, and no others. */
export function asksTunnel({ release }: Stage, found: string): boolean {
  if (release.resolver === 'systemd-resolved') return /-- link: (tun|cw|wg|causeway)\S*/.test(found)
  const servers = [...found.matchAll(/^nameserver (\S+)/gm)].map(([, server = '']) => server)
  return servers.length > 0 && !servers.some(isDirect)
}

/**
 * Signs in as on a computer without a browser: the address of the page is opened elsewhere, and the last one is pasted.
 *
 * @param causeway the command with its options
 */
export const signIn = (causeway: string) => `cd && rm -f pasted login && mkfifo pasted
${causeway} instance add https://${portal.name}/
${causeway} login --no-browser <pasted >login 2>&1 &
exec 4>pasted
${until("grep -q '^ *https://.*response_type' login")}
curl --silent --show-error --output /dev/null --write-out '%{redirect_url}\\n' "$(sed -n 's/^ *\\(http.*response_type.*\\)/\\1/p' login)" >&4
wait %1 || { cat login; false; }`
