import type { UncheckedBridge } from '../../contract/bridge'
import type { CommandInput } from '../../contract/commands'

/** Limit per page: repeated defects add nothing. Main has its own limit. */
const maxReports = 20

/** Reports uncaught errors of this page to main, which logs them. Returns a function that reports caught ones. */
export function reportDefects(bridge: Pick<UncheckedBridge, 'run'>): (error: unknown) => void {
  let reportsLeft = maxReports
  const report = (defect: CommandInput<'reportDefect'>): void => {
    if (reportsLeft === 0) return
    reportsLeft -= 1
    // If this fails too, nobody can be told.
    bridge.run('reportDefect', defect).catch(() => undefined)
  }
  window.addEventListener('error', ({ error, filename, lineno, colno }) => {
    if (error instanceof Error) report(describe(error))
    // Browsers report a layout that takes two rounds as an event without an error; that is no defect.
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

/** Returns kind and stack of an error, without its message, which could contain anything. */
function describe(error: unknown): CommandInput<'reportDefect'> {
  if (!(error instanceof Error)) return { kind: typeof error, at: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { kind: error.name.slice(0, 64), at: frames.slice(0, 5).map((line) => line.trim().slice(0, 300)) }
}
