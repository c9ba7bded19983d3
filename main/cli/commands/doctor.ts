import type { Command } from 'commander'
import { action } from '../context'

const marks = { ok: 'ok     ', limited: 'limited', missing: 'MISSING' } as const

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what Causeway needs and misses here, and what to do about it')
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
