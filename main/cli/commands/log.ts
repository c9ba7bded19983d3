import { type Command, InvalidArgumentError } from 'commander'
import { supportReportText } from '../../app/diagnostics/support-report'
import { action } from '../context'

export function addLogCommands(program: Command): void {
  program
    .command('log')
    .description("the last lines of Causeway's log; no secrets are in it")
    .option('--path', 'only say where it is')
    .option('--lines <number>', 'how many', lineCount, 100)
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
    .description('what support needs to know: versions, settings, the findings of doctor, and the log')
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
  throw new InvalidArgumentError('It is a number of lines, at most 100000.')
}
