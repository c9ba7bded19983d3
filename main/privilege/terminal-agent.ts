import { once } from 'node:events'
import { isatty } from 'node:tty'
import { isProgram } from '../platform/child-process/is-program'
import { afterLifeline, lifelineWords } from '../platform/child-process/lifeline'
import type { Elevation } from './helper-process'
import { resultWithin } from '../platform/child-process/result-within'

const agent = '/usr/bin/pkttyagent'
/** The exit status of pkcheck if somebody has to enter a password first. */
const needsPassword = 2
const timeout = 5000

/**
 * Returns true if this process's terminal is the place to ask for a password. On a desktop it isn't: an agent asks in a window,
 * and users may not see the terminal that started Causeway's window.
 */
export function asksInTerminal(): boolean {
  return !isOnDesktop() && isatty(0) && isatty(2)
}

function isOnDesktop(): boolean {
  const isSet = (name: string) => (process.env[name] ?? '') !== ''
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false
  // No variable tells a Mac's desktop.
  return process.platform === 'darwin' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY')
}

/**
 * Returns whether polkit lets this process start the helper: `after-password` if somebody has to enter one first; `no` if it gives no
 * answer.
 */
export async function askPolkit(pkcheck = '/usr/bin/pkcheck'): Promise<'yes' | 'after-password' | 'no'> {
  const { execa } = await import('execa')
  const action = ['--action-id', 'org.causeway.helper', '--process', String(process.pid)]
  const answer = await resultWithin(timeout, execa(pkcheck, action, { reject: false, stdio: 'ignore' }))
  if (answer?.failed === false) return 'yes'
  return answer?.exitCode === needsPassword ? 'after-password' : 'no'
}

/** Returns true if the helper starts without asking anybody for a password. `pkcheck`: default: this computer's. */
export async function asksNobody(elevation: Elevation, pkcheck?: string): Promise<boolean> {
  if (elevation === 'pkexec') return (await askPolkit(pkcheck)) === 'yes'
  return elevation === 'root' || elevation === 'launchd' || elevation === 'service'
}

/** Returns true if polkit's agent for terminals can ask here. */
export async function hasTerminalAgent(program = agent, inTerminal = asksInTerminal): Promise<boolean> {
  return inTerminal() && (await isProgram(program))
}

/**
 * Starts polkit's agent for terminals if pkexec will need a password, and nothing but this terminal can ask for it. The agent
 * inside pkexec can't: polkit rejects its answers, because it belongs to root ("No session for cookie").
 *
 * @param computer polkit's programs, and where a password is asked for; default: those of this computer
 * @returns a function that ends the agent; undefined if none was started
 */
export async function startTerminalAgent(
  elevation: Elevation,
  computer: {
    readonly agent?: string
    readonly pkcheck?: string
    readonly inTerminal?: () => boolean
  } = {},
): Promise<(() => void) | undefined> {
  const { agent: file = agent, pkcheck, inTerminal } = computer
  if (elevation !== 'pkexec' || !(await hasTerminalAgent(file, inTerminal))) return undefined
  if ((await askPolkit(pkcheck)) !== 'after-password') return undefined
  // It closes descriptor 3 when it's ready. As `--fallback`, polkit 122 doesn't find it without a session.
  const words = ['--process', String(process.pid), '--notify-fd', '3']
  const [program, ...rest] = afterLifeline(await lifelineWords(), file, ...words)
  const { execa } = await import('execa')
  const running = execa(program, rest, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    reject: false,
    buffer: false,
  })
  const ready = running.stdio[3]
  await Promise.race([once(ready.resume(), 'end'), running])
  return () => void running.kill()
}
