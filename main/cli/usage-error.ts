import type { Command } from 'commander'
import type { ErrorReport } from '../errors'

/**
 * Makes the command and those under it throw a CommanderError for wrong usage instead of ending the process, and
 * print it as every other error is printed: one line of JSON on standard error with `--json`.
 */
export function reportUsageErrorsAs(command: Command, json: boolean): void {
  command.exitOverride()
  command.configureOutput({
    outputError: (text, write) => {
      const message = text.replace(/^error: /, '').trim()
      const report: ErrorReport = { code: 'usage/invalid-argument', message }
      write(json ? `${JSON.stringify({ error: report })}\n` : `causeway: ${message}\n`)
    },
  })
  if (json) command.showHelpAfterError(false)
  for (const child of command.commands) reportUsageErrorsAs(child, json)
}
