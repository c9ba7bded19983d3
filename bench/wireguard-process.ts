import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { type Launch, runHelper } from '../main/privilege/helper-client'
import { buildConfiguration } from '../main/tunnel/openvpn/configuration'
import { createStartTunnel } from '../main/tunnel/openvpn/start-openvpn.testing'
import type { Tunnel, TunnelEvent } from '../main/tunnel/tunnel'
import { wireGuardBackend } from '../main/tunnel/wireguard/backend.testing'
import { processIds, waitsOf } from './computer-traces'
import { nowMs, startProbe } from './probe'
import { takeTurns } from './take-turns'

/** Causeway's WireGuard, a script of `ip` and `wg`, OpenVPN through the helper, and OpenVPN alone. */
const connectors = ['wireguard', 'script', 'openvpn', 'bare'] as const
type Connector = (typeof connectors)[number]

export interface Setting {
  /** Answers through a tunnel alone, with servers of TCP and UDP at the port. */
  readonly inside: string
  readonly port: number
  /** wireguard-go; null to use the kernel. */
  readonly program: string | null
  readonly scriptFile: string
  readonly wireGuard: { readonly privateKey: string; readonly text: string }
  readonly openVpn: { readonly profile: string; readonly certificate: string; readonly privateKey: string }
}

interface Streams {
  /** Mbit/s of each round. */
  readonly up: number[]
  readonly down: number[]
  /** Memory of the tunnel's program after the last round. */
  residentBytes: number
  peakBytes: number
}

export interface Measured {
  /** Milliseconds from the portal's answer to the first ping, of each round. */
  readonly firstPing: Record<Connector, number[]>
  readonly streams: Record<Connector, Streams>
  /** The times that the helper or its program began to run. */
  readonly wakeUps: { readonly seconds: number; readonly bursts: number; readonly switches: number }
}

const rounds = 10
const streamRounds = 3
const streamMs = 4000
const idleSeconds = 60
const device = 'cwbench'

async function measure(setting: Setting): Promise<Measured> {
  const open = {
    wireguard: () => openWireGuard(setting),
    script: () => runScript(setting),
    openvpn: () => openOpenVpn(setting),
    bare: () => runOpenVpn(setting),
  }
  const msToPing = (name: Connector) => async () => {
    const ping = await startPing(setting)
    const began = nowMs()
    const tunnel = await open[name]()
    const milliseconds = (await ping()) - began
    await tunnel.close()
    return milliseconds
  }
  const firstPing = await takeTurns(rounds, {
    wireguard: msToPing('wireguard'),
    script: msToPing('script'),
    openvpn: msToPing('openvpn'),
    bare: msToPing('bare'),
  })
  const streams = {} as Measured['streams']
  for (const name of connectors) streams[name] = { up: [], down: [], residentBytes: 0, peakBytes: 0 }
  for (let round = 0; round < streamRounds; round += 1) {
    for (const name of connectors) {
      const ping = await startPing(setting)
      const tunnel = await open[name]()
      await ping()
      streams[name].up.push(await stream(setting, 'u'))
      streams[name].down.push(await stream(setting, 'd'))
      Object.assign(streams[name], await memoryOf(tunnel.program))
      await tunnel.close()
    }
  }
  const ping = await startPing(setting)
  const tunnel = await open.wireguard()
  await ping()
  // Until the tests after the first handshake are over.
  await wait(15_000)
  const wakeUps = await countWakeUps()
  await tunnel.close()
  return { firstPing, streams, wakeUps }
}

interface Open {
  /** The start of the name of the program that carries the packets. */
  readonly program: string
  close(): Promise<unknown>
}

const launch: Launch = (request) => runHelper({ helper: '/mnt/causeway-helper', elevation: 'root' }, request)

async function openWireGuard({ wireGuard: { privateKey, text } }: Setting): Promise<Open> {
  const backend = wireGuardBackend({ launch, killSwitch: false })
  return openAndWait('causeway-wiregu', (onEvent) =>
    backend.openTunnel(
      {
        protocol: 'wireguard',
        transport: 'udp',
        profile: text,
        namedBy: 'https://127.0.0.1',
        privateKey: Buffer.from(privateKey, 'base64'),
      },
      {
        target: { instanceId: 'vpn.example.org', profileId: 'internet' },
        mode: 'full',
        preferTcp: false,
        avoid: [],
        onEvent,
      },
    ),
  )
}

function configurationOf({ openVpn: { profile, ...keyPair } }: Setting) {
  return buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
}

async function openOpenVpn(setting: Setting): Promise<Open> {
  const start = createStartTunnel({ findPrivileged: () => Promise.resolve(launch) })
  const configuration = configurationOf(setting)
  return openAndWait('openvpn', (onEvent) => start({ configuration, mode: 'full', onEvent }))
}

async function runOpenVpn(setting: Setting): Promise<Open> {
  const file = '/run/bare.ovpn'
  await writeFile(file, configurationOf(setting).text, { mode: 0o600 })
  const openVpn = execa('openvpn', ['--config', file, '--verb', '3', '--script-security', '1'], {
    buffer: false,
    reject: false,
  })
  const lines = createInterface({ input: openVpn.stdout })
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('Initialization Sequence Completed')) resolve()
    })
  })
  const close = async () => {
    openVpn.kill('SIGTERM')
    await openVpn
  }
  return { program: 'openvpn', close }
}

async function openAndWait(
  program: string,
  open: (onEvent: (event: TunnelEvent) => void) => Promise<Tunnel>,
): Promise<Open> {
  let connected: () => void = () => undefined
  const up = new Promise<void>((resolve) => (connected = resolve))
  const tunnel = await open(({ event }) => {
    if (event === 'connected') connected()
  })
  const end = await Promise.race([up, tunnel.ended])
  if (end !== undefined) throw new Error('Causeway did not connect', { cause: end })
  return { program, close: () => tunnel.stop() }
}

/** What a person would write: a tunnel for all traffic. */
async function runScript({ program, scriptFile }: Setting): Promise<Open> {
  const sh = (text: string) => execa('sh', ['-e', '-c', text])
  await sh(`${program === null ? `ip link add ${device} type wireguard` : `${program} ${device} >/dev/null 2>&1`}
wg setconf ${device} ${scriptFile}
ip address add 10.88.0.2/24 dev ${device}
ip link set ${device} mtu 1420 up
ip route add default dev ${device} table 51820
ip rule add not fwmark 51820 table 51820
ip rule add table main suppress_prefixlength 0
ip -6 rule add not fwmark 51820 table 51820
ip -6 rule add table main suppress_prefixlength 0`)
  const undo = `ip link delete ${device}
for family in -4 -6; do
  ip $family rule delete table 51820
  ip $family rule delete table main suppress_prefixlength 0
done`
  return { program: 'wireguard-go', close: () => sh(undo) }
}

/** Sends packets in close succession, and returns a function that waits for the first answer and returns its time. */
async function startPing({ inside, port }: Setting): Promise<() => Promise<number>> {
  const probe = await startProbe(inside, port, 1)
  return async () => {
    const time = await probe.first
    await probe.end()
    return time
  }
}

async function stream({ inside, port }: Setting, way: 'u' | 'd'): Promise<number> {
  const socket = connect({ host: inside, port, allowHalfOpen: true })
  await once(socket, 'connect')
  const began = performance.now()
  const isOver = () => performance.now() - began > streamMs
  let bytes = 0
  if (way === 'd') {
    socket.write('d')
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length
      if (isOver()) break
    }
    socket.destroy()
  } else {
    const block = Buffer.alloc(1 << 16)
    socket.write('u')
    while (!isOver()) if (!socket.write(block)) await once(socket, 'drain')
    socket.end()
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    bytes = Number(answer)
  }
  return (bytes * 8) / 1000 / (performance.now() - began)
}

/** Returns the memory of a program, 0 for the kernel. */
async function memoryOf(program: string): Promise<Pick<Streams, 'residentBytes' | 'peakBytes'>> {
  const [found] = await processIds(program)
  const status = found === undefined ? '' : await readFile(`/proc/${found.pid}/status`, 'utf8')
  const bytes = (field: string) =>
    1024 * Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }
}

/** Looks ten times a second whether a thread of the helper or its program has run. */
async function countWakeUps(): Promise<Measured['wakeUps']> {
  const ids = (await processIds('causeway-')).map(({ pid }) => pid)
  const switches = () => waitsOf(ids)
  const [began, before] = [performance.now(), await switches()]
  let [last, bursts, ranAt] = [before, 0, Number.NEGATIVE_INFINITY]
  while (performance.now() - began < idleSeconds * 1000) {
    await wait(100)
    const now = await switches()
    if (now === last) continue
    last = now
    // On a busy machine, what belongs together takes some time.
    if (performance.now() - ranAt > 500) bursts += 1
    ranAt = performance.now()
  }
  return { seconds: (performance.now() - began) / 1000, bursts, switches: last - before }
}

const given = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Setting
process.stdout.write(JSON.stringify(await measure(given)))
