import type { Machine } from './machine'
import { internet, networks, portal, type World } from './world'

/** What the steps work with. */
export interface Stage {
  readonly machine: Machine
  readonly world: World
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

/** Returns a command that prints the address that the internet sees, or why nothing came through. */
const askAddress = `timeout 10 bash -c 'exec 4<>/dev/tcp/${internet.ipv4}/${internet.port}; read -r address <&4; echo "$address"' 2>&1 || true`

/** Expects that the network is as if nothing had been connected. */
export async function expectNothingLeft(stage: Stage): Promise<void> {
  const seen = await asPerson(stage, askAddress)
  expect(
    Object.values(networks).some(({ net }) => seen.startsWith(net)),
    `the internet sees ${seen}`,
  )
  const left = await asRoot(
    stage,
    `nft list ruleset
ip -oneline link show type tun
ip -oneline link show type wireguard
for family in -4 -6; do ip $family rule | grep -Ev '^(0|32766|32767):' || true; done
pgrep -a 'causeway-(help|wire)' || true
pgrep -ax openvpn || true`,
  )
  expect(left.trim() === '', `left: ${left}`)
  const found = await asRoot(stage, 'resolvectl query --cache=no somewhere.example')
  expect(found.includes(internet.ipv4), `resolvectl: ${found}`)
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
