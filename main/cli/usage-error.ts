import type { Command } from 'commander'
import type { ErrorReport } from '../../contract/error-codes'
import { printableJson } from '../platform/http/printable'
import { printable } from './output'

/**
 * Makes the command and those under it throw a CommanderError for wrong usage instead of ending the process, and
 * print it as every other error is printed: one line of JSON on standard error with `json`. A command that needs
 * another one under it prints its help there, and with `json` an error too.
 */
export function reportUsageErrorsAs(command: Command, json: boolean): void {
  command.exitOverride()
  const report = (message: string): void => {
    const error: ErrorReport = { code: 'usage/invalid-argument', message }
    process.stderr.write(json ? `${printableJson({ error })}\n` : `causeway: ${printable(message)}\n`)
  }
  command.configureOutput({
    outputError: (text) => {
      report(text.replace(/^error: /, '').trim())
    },
    ...(json
      ? {
          // Help comes here only where a command is missing.
          writeErr: () => {
            const names = command.commands.map((child) => child.name())
            report(`missing command after '${command.name()}'; use one of ${names.join(', ')}`)
          },
        }
      : {}),
  })
  if (json) command.showHelpAfterError(false)
  for (const child of command.commands) reportUsageErrorsAs(child, json)
}
