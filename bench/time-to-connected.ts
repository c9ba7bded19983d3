import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { createStartTunnel } from '../main/openvpn/start-tunnel'
import type { OpenVpnConfiguration } from '../main/openvpn/tunnel'
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
