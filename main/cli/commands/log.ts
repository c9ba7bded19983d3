import { type Command, InvalidArgumentError } from 'commander'
import { supportReportText } from '../../app/diagnostics/support-report'
import { action } from '../context'

export function addLogCommands(program: Command): void {
  program
    .command('log')
    .description("show the last lines of Causeway's log, which contains no secrets")
    .option('--path', "only print the log's path")
    .option('--lines <number>', 'the number of lines', lineCount, 100)
    .action(
      action<[{ readonly path?: true; readonly lines: number }]>(async ({ services, terminal }, options) => {
        if (options.path === true) {
          terminal.result({ path: services.logPath }, services.logPath)
          return
        }
        const lines = await services.logLines(options.lines)
        terminal.result(lines, lines.join('\n'))
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

function lineCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= 100_000) return count
  throw new InvalidArgumentError('It must be a number of lines, at most 100000.')
}
