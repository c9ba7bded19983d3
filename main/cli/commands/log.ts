import { type Command, InvalidArgumentError } from 'commander'
import { supportReportText } from '../../app/diagnostics/support-report'
import { parseJson } from '../../json'
import { action } from '../context'

interface Options {
  readonly path?: true
  readonly lines: number
  readonly follow?: true
}

export function addLogCommands(program: Command): void {
  program
    .command('log')
    .description("show the last lines of Causeway's log, which contains no secrets")
    .option('--path', "only print the log's path")
    .option('--lines <number>', 'the number of lines', lineCount, 100)
    .option('--follow', 'keep printing the lines that are added, until Ctrl-C')
    .action(
      action<[Options]>(async ({ services, terminal, signal }, options) => {
        if (options.path === true) {
          terminal.result({ path: services.logPath }, services.logPath)
          return
        }
        if (options.follow === true) {
          await services.followLog(options.lines, signal, (lines) => {
            for (const line of lines) terminal.document(entryOf(line), line)
          })
          return
        }
        const lines = await services.logLines(options.lines)
        terminal.document(lines.map(entryOf), lines.join('\n'))
      }),
    )

  program
    .command('report')
    .description('print a report for support: versions, settings, the results of doctor, and the log')
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const report = await services.supportReport()
        terminal.result(report, supportReportText(report))
      }),
    )
}

/** Returns the event of a line (docs/log.md); a line that a full disk has cut off is only a text. */
function entryOf(line: string): unknown {
  return parseJson(line) ?? { line }
}

function lineCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= 100_000) return count
  throw new InvalidArgumentError('It must be a number of lines, at most 100000.')
}
