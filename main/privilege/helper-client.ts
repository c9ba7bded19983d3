import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

import { CausewayError } from '../errors'
import { helperError, type HelperFailure, type HelperMessage, parseHelperMessage } from './helper-messages'

/** How the helper gets its rights, and the program for that. */
export type Elevation = 'root' | 'pkexec' | 'sudo' | 'sudo-askpass'

export interface HelperOptions {
  /** The absolute path of causeway-helper. */
  readonly helper: string
  readonly elevation: Elevation
  /** Told every message of the helper. */
  readonly onMessage?: (message: HelperMessage) => void
}

/** DNS servers and search domains for a tunnel; each is checked, and there is at least one server. */
export interface DnsSettings {
  readonly servers: readonly string[]
  readonly domains: readonly string[]
}

/** How a tunnel's program ended. `error`: why it never ran, or was ended by its launcher. */
export interface ProgramExit {
  readonly exitCode?: number
  readonly signal?: string
  readonly error?: CausewayError
}

/** A program that makes a tunnel, whoever started it. */
export interface TunnelProgram {
  /** Calls back with each line of its log; resolves when there will be no more. Called once, and at once. */
  followLog(onLine: (line: string) => void): Promise<void>
  /**
   * Asks it to end, and makes it after about 5 s. OpenVPN loses a gentle signal that comes before it has tried a remote
   * (`hasBegun`).
   */
  end(how: { readonly hasBegun: boolean }): void
  /** Settles when the process is gone; never rejects. */
  readonly exited: Promise<ProgramExit>
  /** Sets the system's DNS servers for as long as the tunnel lasts; false when it cannot. Absent: it never can. */
  applyDns?(dns: DnsSettings): Promise<boolean>
}

/** The command line that starts the helper with a command of its own (`run`, `release`, `version`). */
export function helperCommand(
  helper: string,
  elevation: Elevation,
  command: string,
): readonly [string, ...string[]] {
  switch (elevation) {
    case 'root':
      return [helper, command]
    case 'pkexec':
      // Its own agent would ask in the terminal, which may be nobody's.
      return ['/usr/bin/pkexec', '--disable-internal-agent', helper, command]
    case 'sudo':
      return ['/usr/bin/sudo', '-n', '--', helper, command]
    case 'sudo-askpass': {
      // On macOS: asks in a window of the system's, unless it has been answered a moment ago.
      const askpass = path.join(path.dirname(helper), 'causeway-askpass')
      return ['/usr/bin/env', `SUDO_ASKPASS=${askpass}`, '/usr/bin/sudo', '-A', '--', helper, command]
    }
  }
}

/**
 * Runs a tunnel through the helper (helper/, docs/helper.md), which ends it when its standard input ends: also when this
 * process is killed. What keeps the helper from running is told by `exited`: `helper/dismissed`, `helper/not-authorized`,
 * `helper/refused`, `helper/failed`, `helper/kill-switch-failed`.
 *
 * @param errorOf the error for a failure that concerns the tunnel's protocol
 */
export function runHelper(
  { helper, elevation, onMessage = () => undefined }: HelperOptions,
  tunnel: { readonly configuration: string; readonly killSwitch: boolean },
  errorOf: (failure: HelperFailure) => CausewayError = helperError,
): TunnelProgram {
  const [program, ...words] = helperCommand(helper, elevation, 'run')
  const subprocess = execa(program, words, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    extendEnv: false,
    stdin: 'pipe',
    buffer: false,
    reject: false,
  })
  // The helper may be gone before it has read everything, which `exited` tells.
  subprocess.stdin.on('error', () => undefined)
  subprocess.stdin.write(
    `kill-switch ${tunnel.killSwitch ? 'on' : 'off'}\ndns on\n${tunnel.configuration}#END\n`,
  )

  let said: ProgramExit = {}
  let spoke = false
  let answerDns: (applied: boolean) => void = () => undefined
  const hear = (line: string) => {
    const heard = parseHelperMessage(line)
    if (heard === undefined) return
    spoke = true
    if (heard.message === 'refused' || heard.message === 'failed') said = { error: errorOf(heard) }
    else if (heard.message === 'killed') said = { signal: heard.signal }
    else if (heard.message === 'dns') answerDns(heard.outcome === 'applied')
    onMessage(heard)
  }
  const heard = once(createInterface({ input: subprocess.stderr }).on('line', hear), 'close')

  const ended = async (): Promise<ProgramExit> => {
    const [{ exitCode, signal }] = await Promise.all([subprocess, heard])
    answerDns(false)
    if (said.error !== undefined || said.signal !== undefined) return said
    if (!spoke) return { error: helperDidNotStart(elevation, exitCode) }
    return { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) }
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
      // While pkexec still asks, it belongs to the user; afterwards the signal is refused, and the pipe's end counts.
      if (!spoke) subprocess.kill('SIGTERM')
    },
    exited,
    applyDns: ({ servers, domains }) =>
      new Promise((resolve) => {
        answerDns = resolve
        subprocess.stdin.write(
          `dns ${[servers.join(','), ...[domains.join(',')].filter(Boolean)].join(' ')}\n`,
        )
      }),
  }
}

/**
 * Has the helper lift the kill switch, also one that an earlier run left.
 *
 * @throws CausewayError `helper/*`
 */
export async function releaseKillSwitch({
  helper,
  elevation,
  onMessage = () => undefined,
}: HelperOptions): Promise<'released' | 'none'> {
  const [program, ...words] = helperCommand(helper, elevation, 'release')
  const { stderr, exitCode } = await execa(program, words, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 60_000,
  })
  const said = stderr.split('\n').flatMap((line) => parseHelperMessage(line) ?? [])
  said.forEach(onMessage)
  const state = said.find((each) => each.message === 'kill-switch')?.state
  if (state === 'released' || state === 'none') return state
  const failure = said.find((each) => each.message === 'refused' || each.message === 'failed')
  throw failure === undefined ? helperDidNotStart(elevation, exitCode) : helperError(failure)
}

/** pkexec ends with 126 when the question is dismissed, and with 127 when it may not, or nobody is there to ask. */
export function helperDidNotStart(elevation: Elevation, exitCode: number | undefined): CausewayError {
  if (elevation === 'pkexec' && exitCode === 126) {
    return new CausewayError(
      'helper/dismissed',
      "The permission request was dismissed, so Causeway didn't connect. Connect again, and answer the request.",
    )
  }
  if ((elevation === 'pkexec' && exitCode === 127) || (elevation.startsWith('sudo') && exitCode === 1)) {
    return new CausewayError(
      'helper/not-authorized',
      "You don't have permission to set up a VPN connection on this computer. Ask this computer's administrator, or connect from the desktop session, where you can enter a password.",
    )
  }
  return new CausewayError(
    'helper/failed',
    "Causeway's helper ran into a problem. To find the cause, run: causeway doctor",
    {
      details: { reason: 'not-started', ...(exitCode !== undefined && { exitCode }) },
    },
  )
}
