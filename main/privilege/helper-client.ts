import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { CausewayError } from '../errors'
import { type AskedHelper, followMessages, type HelperEnd, startAsked } from './asked-helper'
import { type DnsOutcome, helperError, type HelperFailure, type HelperMessage } from './helper-messages'
import { findOwnService, isAnsweringService } from './own-service'
import { type HelperStart, helperDidNotStart, startHelper } from './start-helper'
import { asksNobody } from './terminal-agent'

export interface HelperOptions extends HelperStart {
  /** Called with every message of the helper, also as text. */
  readonly onMessage?: (message: HelperMessage, text: string) => void
}

/** DNS servers and search domains for a tunnel; each is checked, and there is at least one server. */
export interface DnsSettings {
  readonly servers: readonly string[]
  readonly domains: readonly string[]
}

/** The exit of a tunnel's program. `error`: the reason why it never ran, or was ended by its launcher. */
export interface ProgramExit {
  readonly exitCode?: number
  readonly signal?: string
  readonly error?: CausewayError
}

/** A running program that provides a tunnel. */
export interface TunnelProgram {
  /** Calls back with each line of its log; resolves at the end of the log. Must be called once, immediately. */
  followLog(onLine: (line: string) => void): Promise<void>
  /**
   * Asks the program to end, and forces it after about 5 s. OpenVPN ignores a graceful signal before it has tried a remote
   * (`hasBegun`).
   */
  end(how: { readonly hasBegun: boolean }): void
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProgramExit>
  /**
   * Sets the system's DNS servers for the lifetime of the tunnel. Missing if it is never possible.
   */
  applyDns?(dns: DnsSettings): Promise<DnsOutcome>
  /** Sends a command of the helper's protocol; does nothing once it has ended. Missing without the helper. */
  send?(command: string): void
}

/** The most control groups that the helper takes. */
export const maxGroups = 256

/** How a tunnel divides the apps of its user. */
export interface AppsRequest {
  /** The listed ones use it, or they alone don't. */
  readonly mode: 'except' | 'only'
  /** Whether those outside may go on while the kill switch blocks everything else. */
  readonly whileBlocked: 'allow' | 'block'
  /** Their control groups, as in /proc/PID/cgroup, at most `maxGroups`. */
  readonly groups: readonly string[]
}

/** A tunnel's program that is to be launched. */
export interface LaunchRequest {
  /** The helper's command: OpenVPN, WireGuard, or on Windows the kill switch around OpenVPN. */
  readonly command: 'run' | 'wireguard' | 'openvpn'
  /**
   * Contains the private key: passed through a pipe, never in a file, environment or command line. A buffer is overwritten by
   * its owner once the helper has said `started` or has ended.
   */
  readonly configuration: string | Buffer
  /** Blocks traffic outside the tunnel, also after it has ended, until the block is lifted. */
  readonly killSwitch: boolean
  /** Leaves no local network outside a tunnel for everything. */
  readonly blocksLocal?: boolean
  readonly apps?: AppsRequest | undefined
  /** Returns the error for a failure of the tunnel's protocol. */
  readonly errorOf?: (failure: HelperFailure) => CausewayError
  /** Called with every message of the helper, also as text. */
  readonly onMessage?: (message: HelperMessage, text: string) => void
}

/** A tunnel's program that runs, and changes nothing before it has its configuration. */
export interface WaitingProgram {
  readonly isRunning: () => boolean
  /** Gives it its configuration; like `Launch`. */
  readonly launch: (request: LaunchRequest) => TunnelProgram
  /** Ends it instead; resolves when it has ended. */
  readonly end: () => Promise<void>
}

export interface Launch {
  /**
   * Runs a tunnel's program with the rights that it needs (openvpn.md, "Launchers"). Resolves once the process runs; throws
   * `openvpn/not-found`, `openvpn/too-old`, or the launcher's own errors.
   */
  (request: LaunchRequest): Promise<TunnelProgram>
  /**
   * Starts the program before there is a configuration; undefined if somebody would be asked for a password. Throws the same errors.
   * Missing where programs can't wait.
   */
  readonly begin?: (command: LaunchRequest['command']) => Promise<WaitingProgram | undefined>
}

/**
 * Returns the launcher that runs tunnels through the helper (helper/, docs/helper.md), which ends them when its standard input
 * ends, also when this process is killed. `exited` reports the errors of the helper: `helper/dismissed`,
 * `helper/not-authorized`, `helper/refused`, `helper/failed`, `helper/kill-switch-failed`.
 */
export function helperLauncher(options: HelperOptions): Launch {
  return Object.assign(runHelper.bind(undefined, options), { begin: beginHelper.bind(undefined, options) })
}

/** Runs a tunnel through the helper from its start: see `helperLauncher`. */
export async function runHelper(
  options: HelperOptions,
  request: LaunchRequest,
): Promise<Required<TunnelProgram>> {
  return follow(options, request, await startAsked(options, request.command))
}

/** Starts the helper early, unless it, or the agent that asks for it, would want a password. */
async function beginHelper(
  options: HelperOptions,
  command: LaunchRequest['command'],
): Promise<WaitingProgram | undefined> {
  if (!(await asksNobody(options.elevation))) return undefined
  const waiting = startHelper(options, command)
  return waitingProgram(
    waiting.ended,
    (request) => follow(options, request, { process: waiting }),
    () => {
      waiting.stdout.resume()
      waiting.stderr.resume()
      waiting.stdin.end()
      setTimeout(() => {
        waiting.stop()
      }, 5000).unref()
    },
  )
}

/**
 * Returns a program that waits for its configuration.
 *
 * @param ended settles when it has ended
 * @param launch gives it its configuration
 * @param end asks it to end
 */
export function waitingProgram(
  ended: Promise<unknown>,
  launch: (request: LaunchRequest) => TunnelProgram,
  end: () => void,
): WaitingProgram {
  let isRunning = true
  const over = ended.then(() => {
    isRunning = false
  })
  return {
    isRunning: () => isRunning,
    launch,
    end: () => {
      end()
      return over
    },
  }
}

function follow(
  options: HelperOptions,
  { configuration, killSwitch, blocksLocal = false, apps, errorOf = helperError, onMessage }: LaunchRequest,
  asked: AskedHelper,
): Required<TunnelProgram> {
  const { elevation } = options
  const subprocess = asked.process
  const send = (text: string | Buffer): void => void subprocess.stdin.write(text)
  send(`kill-switch ${killSwitch ? 'on' : 'off'}\ndns on\n`)
  if (apps !== undefined) {
    send(`apps ${apps.mode} ${apps.mode === 'only' ? 'block' : apps.whileBlocked}\n`)
    for (const group of apps.groups) send(`app ${group}\n`)
  }
  // After the apps (docs/helper.md). The kill switch blocks them anyway: then it is true that everything goes through the tunnel.
  if (killSwitch || blocksLocal) send('local-network block\n')
  send(configuration)
  send('#END\n')

  let reported: ProgramExit = {}
  let hasSpoken = false
  let answerDns: (outcome: DnsOutcome) => void = () => undefined
  const followed = followMessages(asked, (message, text) => {
    hasSpoken = true
    if (message.message === 'refused' || message.message === 'failed') reported = { error: errorOf(message) }
    else if (message.message === 'killed') reported = { signal: message.signal }
    else if (message.message === 'dns') {
      const { message: _, outcome, ...how } = message
      answerDns({ applied: outcome === 'applied', ...how })
    }
    options.onMessage?.(message, text)
    onMessage?.(message, text)
  })

  const ended = async (): Promise<ProgramExit> => {
    const { exitCode, signal, isWrongPassword } = await followed
    if (reported.error !== undefined || reported.signal !== undefined) return reported
    if (!hasSpoken) return { error: helperDidNotStart(elevation, exitCode, isWrongPassword) }
    return { exitCode, signal }
  }
  const exited = ended()

  return {
    followLog: async (onLine) => {
      await once(
        createInterface({ input: subprocess.stdout, crlfDelay: Infinity }).on('line', onLine),
        'close',
      )
    },
    end: () => {
      subprocess.stdin.end()
      // While pkexec asks, it belongs to the user; later the signal is refused, and the end of the pipe ends the
      // helper.
      if (!hasSpoken) subprocess.stop()
    },
    exited,
    applyDns: ({ servers, domains }) =>
      new Promise((resolve) => {
        answerDns = resolve
        // It may have ended before it was asked, and then says nothing.
        void exited.then(() => {
          resolve({ applied: false })
        })
        send(`dns ${[servers.join(','), ...[domains.join(',')].filter(Boolean)].join(' ')}\n`)
      }),
    send: (command) => {
      send(`${command}\n`)
    },
  }
}

/**
 * Lifts the kill switch through the helper, also one that an earlier run left.
 *
 * @throws CausewayError `helper/*`
 */
export async function releaseKillSwitch(options: HelperOptions): Promise<'released' | 'none'> {
  const { messages, failure } = await callOnce(options, 'release')
  const state = messages.find((each) => each.message === 'kill-switch')?.state
  if (state === 'released' || state === 'none') return state
  throw failure()
}

/**
 * Undoes what an earlier run left, but for a kill switch.
 *
 * @throws CausewayError `helper/*`
 */
export async function repair(options: HelperOptions): Promise<void> {
  const { exitCode, failure } = await callOnce(options, 'repair')
  if (exitCode !== 0) throw failure()
}

/**
 * Asks Causeway's service on Windows whether packets may pass, which asks the firewall. Returns false if it can't say.
 *
 * @param find finds the service
 */
export async function mayPassService(find = findOwnService): Promise<boolean> {
  const found = await find(undefined, isAnsweringService)
  if (found === undefined) return false
  const { messages } = await callOnce(found, 'blocked')
  return messages.some((each) => each.message === 'kill-switch' && each.state === 'none')
}

/** Runs a command of the helper that ends by itself; `failure` returns why it may have failed. */
async function callOnce(options: HelperOptions, command: 'release' | 'repair' | 'blocked') {
  const asked = await startAsked(options, command)
  asked.process.stdin.end()
  asked.process.stdout.resume()
  const giveUp = setTimeout(() => {
    asked.process.stop()
  }, 60_000)
  const messages: HelperMessage[] = []
  const end = await followMessages(asked, (message, text) => {
    messages.push(message)
    options.onMessage?.(message, text)
  })
  clearTimeout(giveUp)
  return { messages, exitCode: end.exitCode, failure: () => refusalOf(options, messages, end) }
}

/** Returns why a helper that has ended may have failed, from what it said. */
export function refusalOf(
  { elevation }: HelperStart,
  messages: readonly HelperMessage[],
  { exitCode, isWrongPassword }: HelperEnd,
): CausewayError {
  const refusal = messages.find((each) => each.message === 'refused' || each.message === 'failed')
  return refusal === undefined
    ? helperDidNotStart(elevation, exitCode, isWrongPassword)
    : helperError(refusal)
}
