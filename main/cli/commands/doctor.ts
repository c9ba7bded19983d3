import type { Command } from 'commander'
import { action } from '../context'

const marks = { ok: 'ok     ', limited: 'limited', missing: 'MISSING' } as const

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      "check what Causeway needs on this computer, and how to fix what's missing; exits with 1 if something is",
    )
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
          { ok: 'good', limited: 'limited', MISSING: 'bad' },
        )
        if (findings.some(({ status }) => status === 'missing')) process.exitCode = 1
      }),
    )
}
