import type { Command } from 'commander'
import { isNotYetConnected } from '../../../contract/connection'
import { isoTimes } from '../../connection/iso-times'
import type { TunnelUse } from '../../connection/lock/tunnel-lock'
import type { TrafficSource } from '../../platform/traffic/traffic-source'
import { action } from '../context'
import { printableLine } from '../output'

export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description('show whether the VPN is connected, and which process connected it')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const use = await services.tunnel.use()
        const blocked = use.use === 'free' && services.killSwitch.blocks()
        const traffic = await trafficOf(use, services.trafficSource)
        terminal.result(
          {
            ...jsonOf(use),
            ...(traffic === undefined ? {} : { traffic }),
            ...(blocked ? { trafficBlocked: true } : {}),
          },
          [
            describe(use),
            ...(traffic === undefined ? [] : [describeTraffic(traffic)]),
            ...(blocked ? [trafficBlocked] : []),
          ].join(' '),
        )
      }),
    )

  program
    .command('disconnect')
    .description('disconnect another Causeway process, such as the window')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const before = await services.tunnel.use()
        if (before.use !== 'free') await services.tunnel.askToDisconnect()
        terminal.result({ state: 'disconnected', ...endOf(before) }, describeEnd(before))
      }),
    )
}

/** What `disconnect` has ended of this. Of one who does not answer nobody knows: it may have been a tunnel. */
export function endOf(before: TunnelUse): {
  readonly wasConnected: boolean
  readonly notYetConnected?: true
} {
  return before.use === 'held' && isNotYetConnected(before.holder.connection)
    ? { wasConnected: false, notYetConnected: true }
    : { wasConnected: before.use !== 'free' }
}

function describeEnd(before: TunnelUse): string {
  const { wasConnected, notYetConnected } = endOf(before)
  if (notYetConnected) return 'Cancelled: nothing was connected.'
  return wasConnected ? 'Disconnected.' : "You weren't connected."
}

const trafficBlocked =
  'The kill switch is blocking all traffic. To allow traffic, run: causeway connect --release'

interface Amounts {
  /** Bytes since the tunnel is there. */
  readonly received: number
  readonly sent: number
}

/** Undefined where nothing is connected, and where its device does not count for this tunnel alone. */
async function trafficOf(use: TunnelUse, source: TrafficSource | undefined): Promise<Amounts | undefined> {
  if (use.use !== 'held' || source?.fromZero !== true) return undefined
  const { connection } = use.holder
  if (connection.state !== 'connected' || connection.device === undefined) return undefined
  const counters = await source.read(connection.device)
  return counters && { received: counters.received, sent: counters.sent }
}

function describeTraffic({ received, sent }: Amounts): string {
  return `${received} bytes received, ${sent} sent.`
}

/** `state` is a state of `connect --json`, `disconnected` where nobody has a tunnel, `unknown` where one does not say. */
function jsonOf(use: TunnelUse): object {
  switch (use.use) {
    case 'free':
      return { state: 'disconnected' }
    case 'silent':
      return { state: 'unknown' }
    case 'held': {
      const { pid, kind, since, connection } = use.holder
      const heldBy = { pid, kind, since: new Date(since).toISOString() }
      if (!('target' in connection)) return { ...connection, heldBy }
      const { target, ...rest } = connection
      return {
        ...rest,
        ...isoTimes(connection),
        instance: target.instanceId,
        profileId: target.profileId,
        heldBy,
      }
    }
  }
}

function describe(use: TunnelUse): string {
  switch (use.use) {
    case 'free':
      return 'Not connected.'
    case 'silent':
      return "Another of your Causeway processes is connected, but it isn't responding."
    case 'held': {
      const { pid, kind, connection } = use.holder
      const who = `${kind === 'window' ? 'the window' : 'the terminal command'} (process ${pid})`
      if (!('target' in connection)) return `${words[connection.state]}, by ${who}.`
      const { profileId, instanceId } = connection.target
      return `${words[connection.state]}: ${printableLine(profileId)} at ${instanceId}, by ${who}.`
    }
  }
}

const words = {
  idle: 'Connecting',
  discovering: 'Connecting',
  authorizing: 'Waiting for the browser',
  preparing: 'Connecting',
  connecting: 'Connecting',
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  disconnecting: 'Disconnecting',
  disconnected: 'Disconnecting',
  failed: 'Disconnecting after a failure',
} as const
