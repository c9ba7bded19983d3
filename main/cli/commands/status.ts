import type { Command } from 'commander'
import type { TunnelUse } from '../../lock/tunnel-lock'
import { action } from '../context'
import { printable } from '../terminal'

export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description('what is connected, and by whom')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const use = await services.tunnel.use()
        const blocked = use.use === 'free' && services.killSwitch.blocks()
        terminal.result(
          { ...jsonOf(use), ...(blocked ? { trafficBlocked: true } : {}) },
          blocked ? `${describe(use)} ${trafficBlocked}` : describe(use),
        )
      }),
    )

  program
    .command('disconnect')
    .description('end the tunnel that another process has, such as the window')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const before = await services.tunnel.use()
        if (before.use !== 'free') await services.tunnel.askToDisconnect()
        terminal.result(
          { state: 'disconnected', wasConnected: before.use !== 'free' },
          before.use === 'free' ? 'There was no tunnel.' : 'Disconnected.',
        )
      }),
    )
}

const trafficBlocked =
  'The kill switch blocks all traffic. Lift it with: causeway connect --release. Then connect again.'

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
        ...(rest.state === 'connected' ? { since: new Date(rest.since).toISOString() } : {}),
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
      return 'There is no tunnel.'
    case 'silent':
      return 'Another Causeway of yours has the tunnel and does not answer.'
    case 'held': {
      const { pid, kind, connection } = use.holder
      const who = `${kind === 'window' ? 'the window' : 'the terminal command'} (process ${pid})`
      if (!('target' in connection)) return `${words[connection.state]}, by ${who}.`
      const { profileId, instanceId } = connection.target
      return `${words[connection.state]}: ${printable(profileId)} at ${printable(instanceId)}, by ${who}.`
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
  failed: 'Ending after a failure',
} as const
