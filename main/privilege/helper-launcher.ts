import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

import { CausewayError } from '../errors'
import { type HelperWord, parseHelperWord } from './helper-words'
import type { LaunchedOpenVpn, Launcher, LauncherExit, PushedDns } from '../tunnel/openvpn/launcher'

/** How the helper gets its rights, and the program for that. */
export type Elevation = 'root' | 'pkexec' | 'sudo' | 'sudo-askpass'

export interface HelperLauncherOptions {
  /** The absolute path of causeway-helper. */
  readonly helper: string
  readonly elevation: Elevation
  /** Told what the helper says that does not end the tunnel. */
  readonly onWord?: (word: HelperWord) => void
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
 * Runs OpenVPN through the helper (helper/, docs/helper.md), which ends it when its standard
 * input ends: also when this process is killed. What keeps the helper from running is told by `exited`:
 * `helper/dismissed`, `helper/not-authorized`, `helper/refused`, `helper/failed`, `helper/kill-switch-failed`.
 */
export function createHelperLauncher(options: HelperLauncherOptions): Launcher {
  return {
    name: 'helper',
    launch: ({ configuration, killSwitch }) =>
      Promise.resolve(startHelper(options, configuration, killSwitch)),
  }
}

function startHelper(
  { helper, elevation, onWord = () => undefined }: HelperLauncherOptions,
  configuration: string,
  killSwitch: boolean,
): LaunchedOpenVpn {
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
  subprocess.stdin.write(`kill-switch ${killSwitch ? 'on' : 'off'}\ndns on\n${configuration}#END\n`)

  let said: LauncherExit = {}
  let spoke = false
  let answerDns: (applied: boolean) => void = () => undefined
  const hear = (line: string) => {
    const word = parseHelperWord(line)
    if (word === undefined) return
    spoke = true
    if (word.word === 'error') said = { error: word.error }
    else if (word.word === 'killed') said = { signal: word.signal }
    else if (word.word === 'dns') answerDns(word.outcome === 'applied')
    onWord(word)
  }
  const heard = once(createInterface({ input: subprocess.stderr }).on('line', hear), 'close')

  const ended = async (): Promise<LauncherExit> => {
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
    applyDns: ({ servers, domains }: PushedDns) =>
      new Promise((resolve) => {
        answerDns = resolve
        subprocess.stdin.write(
          `dns ${[servers.join(','), ...[domains.join(',')].filter(Boolean)].join(' ')}\n`,
        )
      }),
  }
}

/** pkexec ends with 126 when the question is dismissed, and with 127 when it may not, or nobody is there to ask. */
export function helperDidNotStart(elevation: Elevation, exitCode: number | undefined): CausewayError {
  if (elevation === 'pkexec' && exitCode === 126) {
    return new CausewayError(
      'helper/dismissed',
      'The question whether Causeway may set up the connection was dismissed. Connect again, and answer it.',
    )
  }
  if ((elevation === 'pkexec' && exitCode === 127) || (elevation.startsWith('sudo') && exitCode === 1)) {
    return new CausewayError(
      'helper/not-authorized',
      'This computer does not let you set up a connection. Ask its administrator, or connect from the desktop session, where you can be asked for a password.',
    )
  }
  return new CausewayError('helper/failed', "Causeway's helper could not do its work. Run: causeway doctor", {
    details: { reason: 'not-started', ...(exitCode !== undefined && { exitCode }) },
  })
}
