import type { UncheckedBridge } from '../../contract/bridge'
import type { CommandInput } from '../../contract/commands'

/** A defect that shows again and again says no more than the first time. Main has a limit of its own. */
const mostReports = 20

/**
 * Reports what nobody catches in this page to main, which writes it to the log. Returns how to report what was caught, and
 * is a defect all the same.
 */
export function reportDefects(bridge: Pick<UncheckedBridge, 'run'>): (error: unknown) => void {
  let left = mostReports
  const report = (defect: CommandInput<'reportDefect'>): void => {
    if (left === 0) return
    left -= 1
    // Where even this fails, there is nobody left to tell.
    bridge.run('reportDefect', defect).catch(() => undefined)
  }
  window.addEventListener('error', ({ error, filename, lineno, colno }) => {
    if (error instanceof Error) report(describe(error))
    // A page whose layout takes two rounds is none: browsers tell of it as an error without one.
    else if (filename !== '')
      report({ kind: typeof error, at: [`at ${filename}:${lineno}:${colno}`.slice(0, 300)] })
  })
  window.addEventListener('unhandledrejection', ({ reason }) => {
    report(describe(reason))
  })
  return (error) => {
    report(describe(error))
  }
}

/** Its kind and where it was thrown. Its message stays out, because it could hold anything. */
function describe(error: unknown): CommandInput<'reportDefect'> {
  if (!(error instanceof Error)) return { kind: typeof error, at: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { kind: error.name.slice(0, 64), at: frames.slice(0, 5).map((line) => line.trim().slice(0, 300)) }
}
