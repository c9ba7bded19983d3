import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { createStartTunnel } from '../main/openvpn/start-tunnel'
import type { OpenVpnConfiguration, Tunnel } from '../main/openvpn/tunnel'
import { median } from './median'

export interface TimeToConnected {
  readonly protocol: 'udp' | 'tcp'
  readonly runs: number
  /** Medians from spawn to connected, in milliseconds. */
  readonly causewayMs: number
  readonly bareMs: number
  readonly ratio: number
}

/** Compares Causeway with OpenVPN started by hand on the same configuration, taking turns. */
export async function compareTimeToConnected(
  protocol: 'udp' | 'tcp',
  configuration: OpenVpnConfiguration,
  configurationFile: string,
  runs: number,
): Promise<TimeToConnected> {
  const startTunnel = createStartTunnel()
  const causeway: number[] = []
  const bare: number[] = []
  // The first pair warms up caches and is left out.
  for (let run = 0; run <= runs; run += 1) {
    const ours = () => withCauseway(startTunnel, configuration)
    const theirs = () => withOpenVpn(configurationFile)
    const causewayFirst = run % 2 === 0
    const first = await (causewayFirst ? ours : theirs)()
    const second = await (causewayFirst ? theirs : ours)()
    if (run === 0) continue
    causeway.push(causewayFirst ? first : second)
    bare.push(causewayFirst ? second : first)
  }
  const [causewayMs, bareMs] = [median(causeway), median(bare)]
  return { protocol, runs, causewayMs, bareMs, ratio: causewayMs / bareMs }
}

async function withCauseway(
  startTunnel: ReturnType<typeof createStartTunnel>,
  configuration: OpenVpnConfiguration,
): Promise<number> {
  const began = performance.now()
  let connectedAt: number | undefined
  let tunnel: Tunnel | undefined
  const stop = () => {
    if (connectedAt !== undefined) void tunnel?.stop()
  }
  tunnel = await startTunnel({
    configuration,
    mode: 'full',
    onEvent: ({ event }) => {
      if (event !== 'connected') return
      connectedAt ??= performance.now()
      stop()
    },
  })
  stop()
  const end = await tunnel.ended
  if (connectedAt === undefined) throw new Error('Causeway did not connect', { cause: end })
  return connectedAt - began
}

async function withOpenVpn(configurationFile: string): Promise<number> {
  const began = performance.now()
  const openVpn = execa('openvpn', ['--config', configurationFile, '--verb', '3', '--script-security', '1'], {
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    buffer: false,
    reject: false,
    timeout: 30_000,
  })
  let connectedAt: number | undefined
  for await (const line of createInterface({ input: openVpn.stdout })) {
    if (!line.includes('Initialization Sequence Completed')) continue
    connectedAt = performance.now()
    openVpn.kill('SIGTERM')
  }
  await openVpn
  if (connectedAt === undefined) throw new Error('OpenVPN did not connect')
  return connectedAt - began
}
