import { execa } from 'execa'
import { asksInTerminal, askPolkit, hasTerminalAgent } from '../../privilege/terminal-agent'
import type { FindingItem } from '../../../contract/doctor'
import { resultWithin } from '../../platform/child-process/result-within'

/** The session of this process on Linux: a desktop, a terminal on another computer, or a service. */
interface Session {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The helper that would be used, if there is one, and how it is started. */
  readonly helper: { readonly helper: string; readonly elevation: string } | undefined
  /** Returns true if the system starts the helper, possibly after a question that can be asked here. */
  readonly mayStart: (helper: { readonly helper: string; readonly elevation: string }) => Promise<boolean>
}

/** Returns what this session has: a display, and something that asks for an administrator's password. */
export async function sessionFinding({ env, helper, mayStart }: Session): Promise<FindingItem> {
  const name = 'session'
  const display = [env.WAYLAND_DISPLAY, env.DISPLAY].find((each) => (each ?? '') !== '')
  // A desktop has an agent, which asks. Nothing else shows the question.
  if (display !== undefined) return { name, status: 'ok', code: 'session-ready', facts: { display } }
  return helper !== undefined && !(await mayStart(helper))
    ? {
        name,
        status: 'limited',
        code: 'session-cannot-ask',
        command: 'sudo causeway helper allow --group NAME',
      }
    : { name, status: 'limited', code: 'session-without-display', command: 'causeway login --no-browser' }
}

/** Asks polkit or sudo, without a question to the user, whether this process may start the helper. */
export async function mayStartHelper(
  { helper, elevation }: Parameters<Session['mayStart']>[0],
  sudo = '/usr/bin/sudo',
): Promise<boolean> {
  if (elevation === 'root') return true
  if (elevation === 'pkexec') {
    const answer = await askPolkit()
    return answer === 'yes' || (answer === 'after-password' && (await hasTerminalAgent()))
  }
  if (asksInTerminal()) return true
  const quietly = { reject: false, stdio: 'ignore' } as const
  const answer = await resultWithin(5000, execa(sudo, ['-n', '-l', '--', helper], quietly))
  return answer?.failed === false
}
