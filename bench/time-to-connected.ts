import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { type Launch, runHelper } from '../main/privilege/helper-client'
import { createStartTunnel } from '../main/tunnel/openvpn/start-openvpn.testing'
import type { OpenVpnConfiguration } from '../main/tunnel/openvpn/configuration'
import { median } from './median'

/** Ways to connect: OpenVPN directly, Causeway with its own rights, Causeway through the helper. */
const connectors = ['bare', 'direct', 'helper'] as const
type Connector = (typeof connectors)[number]

export interface TimeToConnected {
  readonly protocol: 'udp' | 'tcp'
  readonly runs: number
  /** Medians from spawn to connected, in milliseconds. */
  readonly ms: Readonly<Record<Connector, number>>
  /** Medians of the ratios to bare OpenVPN within each round; 1 is as fast. */
  readonly ratio: Readonly<Record<Exclude<Connector, 'bare'>, number>>
}

/**
 * Compares Causeway with OpenVPN started by hand on the same configuration, taking turns.
 *
 * @param helper path of causeway-helper, which this process starts as root
 */
export async function compareTimeToConnected(
  protocol: 'udp' | 'tcp',
  configuration: OpenVpnConfiguration,
  configurationFile: string,
  helper: string,
  runs: number,
): Promise<TimeToConnected> {
  const direct = createStartTunnel()
  const launch: Launch = (request) => runHelper({ helper, elevation: 'root' }, request)
  const throughHelper = createStartTunnel({ findPrivileged: () => Promise.resolve(launch) })
  const connect: Record<Connector, () => Promise<number>> = {
    bare: () => withOpenVpn(configurationFile),
    direct: () => withCauseway(direct, configuration),
    helper: () => withCauseway(throughHelper, configuration),
  }
  const rounds: Record<Connector, number>[] = []
  // The first round warms up caches and does not count.
  for (let run = 0; run <= runs; run += 1) {
    const round = { bare: 0, direct: 0, helper: 0 }
    for (let turn = 0; turn < connectors.length; turn += 1) {
      const who = connectors[(run + turn) % connectors.length] ?? 'bare'
      round[who] = await connect[who]()
    }
    if (run > 0) rounds.push(round)
  }
  const ms = (who: Connector) => median(rounds.map((round) => round[who]))
  const ratio = (who: Connector) => median(rounds.map((round) => round[who] / round.bare))
  return {
    protocol,
    runs,
    ms: { bare: ms('bare'), direct: ms('direct'), helper: ms('helper') },
    ratio: { direct: ratio('direct'), helper: ratio('helper') },
  }
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
