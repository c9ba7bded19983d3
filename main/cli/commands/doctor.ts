import type { Command } from 'commander'
import { action } from '../context'

const marks = { ok: 'ok     ', limited: 'limited', missing: 'MISSING' } as const

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description("check what Causeway needs on this computer, and how to fix what's missing")
    .action(
      action<[object]>(async ({ services, terminal }) => {
        const findings = await services.diagnose()
        terminal.result(
          findings,
          findings
            .flatMap(({ name, status, detail, remedy }) => [
              `${marks[status]}  ${name.padEnd(11)}  ${detail}`,
              ...(remedy === undefined ? [] : [`${' '.repeat(22)}${remedy}`]),
            ])
            .join('\n'),
        )
      }),
    )
}
