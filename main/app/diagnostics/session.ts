import { execa } from 'execa'
import { asksInTerminal, askPolkit, hasTerminalAgent } from '../../privilege/terminal-agent'
import type { FindingItem } from '../../../contract/doctor'

/** The session of this process on Linux: a desktop, a terminal on another computer, or a service. */
interface Session {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The helper that would be used, if there is one, and how it is started. */
  readonly helper: { readonly helper: string; readonly elevation: string } | undefined
  /** Returns true if the system starts the helper, possibly after a question that can be asked here. */
  readonly mayStart: (helper: { readonly helper: string; readonly elevation: string }) => Promise<boolean>
}

/** Returns what works in this session: the display, and the question for an administrator's password. */
export async function sessionFinding({ env, helper, mayStart }: Session): Promise<FindingItem> {
  const hasDisplay = [env.DISPLAY, env.WAYLAND_DISPLAY].some((display) => (display ?? '') !== '')
  // A desktop has an agent, which asks. Nothing else shows the question.
  if (!hasDisplay && helper !== undefined && !(await mayStart(helper))) {
    return {
      name: 'session',
      status: 'limited',
      code: 'session-cannot-ask',
    }
  }
  if (!hasDisplay) {
    return {
      name: 'session',
      status: 'limited',
      code: 'session-without-display',
      command: 'causeway login --no-browser',
    }
  }
  return {
    name: 'session',
    status: 'ok',
    code: 'session-ready',
  }
}

/** Asks polkit or sudo, without a question to the user, whether this process may start the helper. */
export async function mayStartHelper({
  helper,
  elevation,
}: Parameters<Session['mayStart']>[0]): Promise<boolean> {
  if (elevation === 'root') return true
  if (elevation === 'pkexec') {
    const answer = await askPolkit()
    return answer === 'yes' || (answer === 'after-password' && (await hasTerminalAgent()))
  }
  if (asksInTerminal()) return true
  const quietly = { reject: false, timeout: 5000, stdio: 'ignore' } as const
  return !(await execa('/usr/bin/sudo', ['-n', '-l', '--', helper], quietly)).failed
}
