import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { systemNetworkEvents } from '../main/platform/network/system-network-events'
import { helperLauncher } from '../main/privilege/helper-client'
import { buildConfiguration } from '../main/tunnel/openvpn/configuration'
import { createStartTunnel } from '../main/tunnel/openvpn/start-openvpn.testing'
import type { Tunnel, TunnelEvent } from '../main/tunnel/tunnel'
import { wireGuardBackend } from '../main/tunnel/wireguard/backend.testing'
import type { Setting } from './wireguard-process'

/**
 * Causeway's part that makes tunnels, through the helper. It obeys the lines `connect`, `disconnect` and `end`, and prints each event
 * of the tunnel. Started with a file of settings and a protocol.
 */
const [settingFile = '', protocol = ''] = process.argv.slice(2)
const { wireGuard, openVpn } = JSON.parse(await readFile(settingFile, 'utf8')) as Setting
const launch = helperLauncher({ helper: '/mnt/causeway-helper', elevation: 'root' })
const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`)

const onEvent = (event: TunnelEvent) => {
  if (event.event === 'restarting') say('restarting', event.reason)
  else if (event.event === 'connected') say('connected')
}
const backend = wireGuardBackend({ launch, killSwitch: false })
const startOpenVpn = createStartTunnel({ findPrivileged: () => Promise.resolve(launch) })

function open(): Promise<Tunnel> {
  if (protocol === 'openvpn') {
    const { profile, ...keyPair } = openVpn
    const configuration = buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
    return startOpenVpn({ configuration, mode: 'full', onEvent })
  }
  return backend.openTunnel(
    {
      protocol: 'wireguard',
      transport: 'udp',
      profile: wireGuard.text,
      namedBy: 'https://127.0.0.1',
      privateKey: Buffer.from(wireGuard.privateKey, 'base64'),
    },
    { target, mode: 'full', preferTcp: false, avoid: [], onEvent },
  )
}

let tunnel: Tunnel | undefined
async function connect(): Promise<void> {
  const opened = (tunnel = await open())
  void opened.ended.then((end) => {
    if (end.end === 'failed') say('restarting', end.error.code)
  })
}

async function disconnect(): Promise<void> {
  await tunnel?.stop()
  tunnel = undefined
}

// As the connection does: a tunnel finds its server again, or another one takes its place.
const stopWatching = systemNetworkEvents('linux').watch((event) => {
  if (event === 'down') tunnel?.pause?.()
  else if (event === 'routes') tunnel?.routesChanged?.()
  else if (tunnel?.recover !== undefined) tunnel.recover()
  else if (tunnel !== undefined) void disconnect().then(connect)
})
say('ready')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'connect') await connect()
  else if (line === 'disconnect') {
    await disconnect()
    say('disconnected')
  } else break
}
stopWatching()
process.exit()
