import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ConnectionState } from '../../../contract/connection'
import type { Services } from '../../app/services'
import type { ConnectOptions } from '../../connection/connect-options'
import type { Connection } from '../../connection/connection'
import { connectionJson } from '../connection-json'
import { CausewayError, hasCode, toErrorReport } from '../../errors'
import type { Instance } from '../../portal/instance/instance'
import type { Context } from '../command-context'
import { action } from '../context'
import { cancelledStatus } from '../exit-status'
import { t } from '../language'
import { backgroundVariable, connectInBackground, tellWaitingProcess } from '../connect-in-background'
import { type Description, type NamedService, describeConnection } from '../describe-connection'
import { confirmOverSsh } from '../over-ssh'
import { onlyProfile, withChoices, withProfile } from '../profile-name'
import { tellExpiry } from '../tell-expiry'
import type { Terminal } from '../terminal'

interface Options {
  readonly release?: true
  readonly last?: true
  readonly instance?: string
  readonly remoteStrategy?: 0 | 1 | 2
  readonly preferTcp?: true
  readonly tunnel?: 'auto' | 'wireguard' | 'openvpn'
  readonly check?: true
  readonly takeOver?: true
  readonly timeout?: number
  readonly reconnect: boolean
  readonly detach?: true
  readonly wait?: number
  readonly background?: true
  readonly yes?: true
}

export function addConnectCommand(program: Command): void {
  program
    .command('connect')
    .description('connect, and stay connected until Ctrl-C')
    .argument('[profile]', "the profile's ID or name; optional if there is only one profile")
    .option('--instance <instance>', "the instance's ID or address")
    .option('--last', 'use the last connected profile, of this instance or of any')
    .option(
      '--remote-strategy <number>',
      'which server ports to use: 0 first, 1 random, 2 all',
      remoteStrategy,
    )
    .option('--prefer-tcp', 'use TCP only')
    .addOption(
      new Option('--tunnel <protocol>', 'use only this protocol; auto: the choice of the service').choices([
        'auto',
        'wireguard',
        'openvpn',
      ]),
    )
    .option(
      '--check',
      'only test the handshake, then exit; requires no special permissions and changes nothing',
    )
    .option('--take-over', 'first disconnect another Causeway process, such as the window')
    .option('--no-reconnect', 'exit when the connection is lost instead of reconnecting')
    .option('--timeout <seconds>', 'give up after this many seconds', seconds)
    .option('--detach', 'return once connected, and stay connected in the background')
    .option('--wait <seconds>', 'with --detach: return after this many seconds at most', seconds)
    .option('--yes', "don't ask before a full tunnel that may end your SSH connection")
    .option('--sysexits', 'for units: exit with a status of sysexits.h, for which systemd has names')
    .addOption(new Option('--background').hideHelp())
    .option('--release', "only turn off the kill switch's block, to allow traffic without the VPN")
    .action(action<[string | undefined, Options]>(connect))
}

async function connect(context: Context, profile: string | undefined, options: Options): Promise<void> {
  const tunnel = { wasUp: false }
  try {
    await connectUntilEnd(context, profile, options, () => {
      tunnel.wasUp = true
    })
  } catch (error) {
    if (!context.isCancelled() || !hasCode(error, 'http/cancelled', 'oauth/cancelled')) throw error
  }
  // Also if another process ended it, because what follows in a script counts on the connection.
  const isReaderGone = context.signal.aborted && !context.isCancelled()
  if (!tunnel.wasUp && !isReaderGone) process.exitCode = cancelledStatus
}

async function connectUntilEnd(
  context: Context,
  profile: string | undefined,
  options: Options,
  onUp: () => void,
): Promise<void> {
  const { services, terminal, signal } = context
  const { connection } = services
  // Programs that this process starts are not in the background of anything.
  Reflect.deleteProperty(process.env, backgroundVariable)
  if (options.wait !== undefined && options.detach !== true) {
    throw new CausewayError('usage/invalid-argument', { variant: 'wait-without-detach' })
  }
  if (
    options.release !== true &&
    options.check !== true &&
    options.background !== true &&
    options.yes !== true
  ) {
    await confirmOverSsh(context, () => chosen(context, profile, options))
  }
  if (options.detach === true && options.background !== true) {
    if ((await connectDetached(context, options)) === 'connected') onUp()
    else process.exitCode = cancelledStatus
    return
  }
  if (options.release === true) {
    await releaseTraffic(context)
    onUp()
    return
  }
  const { instance, profileId } = await chosen(context, profile, options)

  const tellState = stateTeller(terminal, [instance])
  const tellAll = (state: ConnectionState): void => {
    // The process that waits says it in its own words.
    if (options.background !== true || !tellWaitingProcess({ state })) tellState(state)
  }
  let unavailable: Extract<ConnectionState, { state: 'failed' }> | undefined
  connection.onChange((state) => {
    // Told below: the profile may have been given by its name, and the choices are looked up.
    if (state.state === 'failed' && state.error.code === 'vpn-api/profile-unavailable') unavailable = state
    else tellAll(state)
  })
  connection.onLog((line) => {
    terminal.detail(line)
  })
  const disconnect = () => void connection.disconnect()
  signal.addEventListener('abort', disconnect, { once: true })
  try {
    const { takeOver } = options
    const wishes = { takeOver, ...connectOptions(options) }
    const connected = await withProfile(context, instance, profileId, (named) =>
      context.run('connect', { instanceId: instance.id, profileId: named, ...wishes }),
    )
    if (connected === 'connected') {
      onUp()
      await stayConnected(context, instance, options)
    }
  } catch (error) {
    if (unavailable !== undefined) tellAll({ ...unavailable, error: toErrorReport(error) })
    throw error
  }
}

async function stayConnected(context: Context, instance: Instance, options: Options): Promise<void> {
  const { connection } = context.services
  if (options.check === true) await connection.disconnect()
  // A log, such as a service's, has no keys.
  else if (process.stderr.isTTY) context.terminal.note(t('terminal.connection.toDisconnect'))
  const stopTelling = options.check === true ? undefined : tellExpiry(context, instance)
  const { state } = connection
  try {
    const profileId = 'target' in state ? state.target.profileId : ''
    await withChoices(context, instance, profileId, ended(connection))
  } finally {
    stopTelling?.()
  }
}

/** Lifts the kill switch's block, and says so if the administrator has turned the kill switch on. */
export async function releaseTraffic({
  services,
  run,
  terminal,
}: {
  readonly services: Pick<Context['services'], 'killSwitch' | 'settings'>
  readonly run: (name: 'releaseTraffic', input: undefined) => ReturnType<Services['releaseTraffic']>
  readonly terminal: Pick<Terminal, 'result'>
}): Promise<void> {
  // Without the service of Windows, rules that it has set stay until a restart.
  const here = await services.killSwitch.here()
  if (here === 'not-on-this-system' || (here === 'no-service' && !(await services.killSwitch.check()))) {
    terminal.result({ killSwitch: 'none' }, t('terminal.killSwitch.none'))
    return
  }
  const state = await run('releaseTraffic', undefined)
  const { killSwitch } = await services.settings.all()
  const isManaged = killSwitch && (await services.settings.managed()).includes('killSwitch')
  terminal.result(
    { killSwitch: state, managed: isManaged || undefined },
    [
      state === 'released' ? t('terminal.killSwitch.released') : t('terminal.killSwitch.nothing'),
      ...(isManaged ? [t('terminal.killSwitch.managed')] : []),
    ].join('\n'),
  )
}

/** Leaves the connection to another process, which stays when this one ends. */
async function connectDetached(
  { services, terminal, signal }: Context,
  options: Options,
): Promise<'connected' | 'disconnected'> {
  if (options.check === true || options.release === true) {
    throw new CausewayError('usage/invalid-argument', { variant: 'detach-without-tunnel' })
  }
  const outcome = await connectInBackground({
    signal,
    waitMs: options.wait && options.wait * 1000,
    onState: stateTeller(terminal, await services.instances.all()),
  })
  if (outcome === 'connected') terminal.note(t('terminal.connection.inBackground'))
  return outcome
}

/** Returns a function that tells about states, and repeats no sentence if only what it leaves out has changed. */
function stateTeller(
  terminal: Terminal,
  services: readonly NamedService[],
): (state: ConnectionState) => void {
  let last: string | undefined
  return (state) => {
    if (terminal.json) {
      terminal.result(connectionJson(state), '')
      return
    }
    const description = describeConnection(state, services)
    if (description?.text !== last) tell(terminal, description)
    last = description?.text
  }
}

/** Resolves when the connection has ended on request; throws the error of a failed one. */
function ended(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (state: ConnectionState) => {
      if (state.state === 'disconnected') resolve()
      else if (state.state === 'failed') reject(CausewayError.fromReport(state.error))
    }
    connection.onChange(settle)
    settle(connection.state)
  })
}

function connectOptions(options: Options): Omit<ConnectOptions, 'login'> {
  return {
    mode: options.check === true ? 'handshake-only' : 'full',
    remoteStrategy: options.remoteStrategy,
    preferTcp: options.preferTcp,
    protocol: options.tunnel,
    reconnect: options.reconnect ? undefined : false,
    timeoutMs: options.timeout && options.timeout * 1000,
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
    throw new CausewayError('usage/invalid-argument', { variant: 'both-profile-and-last' })
  }
  const named = options.instance === undefined ? undefined : await instances.find(options.instance)
  const all = await lastConnections.all()
  const last = named === undefined ? all[0] : all.find(({ instanceId }) => instanceId === named.id)
  if (last === undefined) {
    throw new CausewayError('usage/no-last-connection')
  }
  return { instance: await instances.find(last.instanceId), profileId: last.profileId }
}

function tell(terminal: Terminal, description: Description | undefined): void {
  if (description?.kind === 'result') terminal.result(undefined, description.text)
  else if (description !== undefined) terminal.note(description.text)
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
