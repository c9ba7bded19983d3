import type { Command } from 'commander'
import type { ErrorReport } from '../../contract/error-codes'
import { printableJson, terminalText } from '../../contract/safe-text'

/**
 * Makes the command and its subcommands throw a CommanderError for wrong usage instead of ending the process, and print it like
 * every other error: with `json` one line of JSON on standard error. A command without its subcommand prints its help, and
 * with `json` an error.
 */
export function reportUsageErrorsAs(command: Command, json: boolean): void {
  command.exitOverride()
  const report = (message: string): void => {
    const error: ErrorReport = { code: 'usage/invalid-argument', message }
    process.stderr.write(json ? `${printableJson({ error })}\n` : `causeway: ${terminalText(message)}\n`)
  }
  command.configureOutput({
    outputError: (text) => {
      report(text.replace(/^error: /, '').trim())
    },
    ...(json
      ? {
          // Help is written here only if a subcommand is missing.
          writeErr: () => {
            const names = command.commands.map((child) => child.name())
            report(`missing command after '${command.name()}'; use one of ${names.join(', ')}`)
          },
        }
      : {}),
  })
  command.showHelpAfterError(json ? false : `(to list ${listed(command)}, run: ${pathOf(command)} --help)`)
  for (const child of command.commands) reportUsageErrorsAs(child, json)
}

function listed(command: Command): string {
  return command.commands.length > 0 ? 'commands and options' : 'its options'
}

/** Returns the words that start the command. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
