import { type Command, InvalidArgumentError } from 'commander'
import type { ConnectionState } from '../../../contract/connection'
import type { Connection, ConnectOptions } from '../../connection/connection'
import { isoTimes } from '../../connection/iso-times'
import { CausewayError } from '../../errors'
import type { Instance } from '../../portal/instance/instance'
import { action, type Context } from '../context'
import { type Description, describeConnection } from '../describe-connection'
import { tellExpiry } from '../tell-expiry'
import type { Terminal } from '../terminal'

interface Options {
  readonly release?: true
  readonly last?: true
  readonly instance?: string
  readonly remoteStrategy?: 0 | 1 | 2
  readonly preferTcp?: true
  readonly check?: true
  readonly takeOver?: true
  readonly timeout?: number
  readonly reconnect: boolean
}

export function addConnectCommand(program: Command): void {
  program
    .command('connect')
    .description('connect, and stay connected until Ctrl-C')
    .argument('[profile]', "the profile's ID; optional if there is only one profile")
    .option('--instance <instance>', "the instance's ID or address")
    .option('--last', 'use the last connected profile, of this instance or of any')
    .option(
      '--remote-strategy <number>',
      'which server ports to use: 0 first, 1 random, 2 all',
      remoteStrategy,
    )
    .option('--prefer-tcp', 'use TCP only')
    .option(
      '--check',
      'only test the handshake, then exit; requires no special permissions and changes nothing',
    )
    .option('--take-over', 'first disconnect another Causeway process, such as the window')
    .option('--no-reconnect', 'exit when the connection is lost instead of reconnecting')
    .option('--timeout <seconds>', 'give up after this many seconds', seconds)
    .option('--release', "only turn off the kill switch's block, to allow traffic without the VPN")
    .action(action<[string | undefined, Options]>(connect))
}

async function connect(context: Context, profile: string | undefined, options: Options): Promise<void> {
  const { services, terminal, signal } = context
  const { connection } = services
  if (options.release === true) {
    const state = await services.releaseTraffic()
    terminal.result(
      { killSwitch: state },
      state === 'released'
        ? "The kill switch no longer blocks traffic. Your traffic doesn't use the VPN."
        : "The kill switch wasn't blocking any traffic.",
    )
    return
  }
  const { instance, profileId } = await chosen(context, profile, options)

  connection.onChange((state) => {
    if (terminal.json) terminal.result(jsonOf(state), '')
    else tell(terminal, describeConnection(state))
  })
  connection.onLog((line) => {
    terminal.detail(line)
  })
  if (options.takeOver === true) await services.tunnel.askToDisconnect({ takesOver: true })
  // Nothing has begun yet, so there is nothing to end.
  if (signal.aborted) return
  const disconnect = () => void connection.disconnect()
  signal.addEventListener('abort', disconnect, { once: true })
  const connected = await connection.connect(
    { instanceId: instance.id, profileId },
    connectOptions(context, options),
  )
  if (connected === 'connected') {
    if (options.check === true) await connection.disconnect()
    else terminal.note('Press Ctrl-C to disconnect.')
    const stopTelling = options.check === true ? undefined : tellExpiry(context, instance)
    try {
      await ended(connection)
    } finally {
      stopTelling?.()
    }
  }
}

/** Settles when the connection is over: throws what ended it, unless it was asked for. */
function ended(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (state: ConnectionState) => {
      if (state.state === 'disconnected') resolve()
      else if (state.state === 'failed')
        reject(new CausewayError(state.error.code, state.error.message, state.error))
    }
    connection.onChange(settle)
    settle(connection.state)
  })
}

function connectOptions({ login }: Context, options: Options): ConnectOptions {
  return {
    login,
    mode: options.check === true ? 'handshake-only' : 'full',
    ...(options.remoteStrategy === undefined ? {} : { remoteStrategy: options.remoteStrategy }),
    ...(options.preferTcp === undefined ? {} : { preferTcp: true }),
    ...(options.reconnect ? {} : { reconnect: false }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
  }
}

async function chosen(
  context: Context,
  profile: string | undefined,
  options: Options,
): Promise<{ readonly instance: Instance; readonly profileId: string }> {
  const { instances, lastConnections } = context.services
  if (options.last !== true) {
    const instance = await instances.find(options.instance)
    return { instance, profileId: profile ?? (await onlyProfile(context, instance)) }
  }
  if (profile !== undefined) {
    throw new CausewayError('usage/invalid-argument', 'Specify either a profile or --last, not both.')
  }
  const named = options.instance === undefined ? undefined : await instances.find(options.instance)
  const all = await lastConnections.all()
  const last = named === undefined ? all[0] : all.find(({ instanceId }) => instanceId === named.id)
  if (last === undefined) {
    throw new CausewayError(
      'usage/no-last-connection',
      "There's no previous connection to use. Specify a profile.",
    )
  }
  return { instance: await instances.find(last.instanceId), profileId: last.profileId }
}

async function onlyProfile(context: Context, instance: Instance): Promise<string> {
  const profiles = await context.authorized(instance, (portal) => portal.profiles(context.signal))
  const [first, ...others] = profiles
  if (first === undefined) {
    throw new CausewayError('vpn-api/profile-unavailable', `${instance.id} doesn't offer you any profiles.`)
  }
  if (others.length > 0) {
    const ids = profiles.map(({ profileId }) => profileId)
    throw new CausewayError('usage/profile-needed', `Specify one of the profiles: ${ids.join(', ')}.`, {
      details: { profiles: ids },
    })
  }
  return first.profileId
}

function tell(terminal: Terminal, description: Description | undefined): void {
  if (description?.kind === 'result') terminal.result(undefined, description.text)
  else if (description !== undefined) terminal.note(description.text)
}

/** One line of `connect --json` (INTERFACES, "Terminal command"). */
function jsonOf(state: ConnectionState): object {
  if (!('target' in state)) return state
  const { target, ...rest } = state
  return { ...rest, ...isoTimes(state), instance: target.instanceId, profileId: target.profileId }
}

function remoteStrategy(text: string): 0 | 1 | 2 {
  if (text === '0' || text === '1' || text === '2') return Number(text) as 0 | 1 | 2
  throw new InvalidArgumentError('It must be 0, 1 or 2.')
}

function seconds(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value <= 86_400) return value
  throw new InvalidArgumentError('It must be a number of seconds, at most 86400 (one day).')
}
