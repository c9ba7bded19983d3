import type { Command } from 'commander'
import { hasRemedy, hasSentence, noFacts } from '../../../contract/choices'
import type { FindingItem } from '../../../contract/doctor'
import { helpPages } from '../../app/diagnostics/help-pages'
import { action } from '../context'
import { errorTexts, ownCommand, t } from '../language'
import { cells, padded, screenOf, wrapped } from '../screen'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      "check what Causeway needs on this computer, or the way to a service, and how to fix what's missing; exits with 1 if something is",
    )
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async ({ run, terminal }, instanceId) => {
        const input = instanceId === undefined ? undefined : { instanceId }
        const findings = (await run('runDoctor', input)).map(({ command, ...rest }) => {
          const finding: FindingItem =
            command === undefined ? rest : { ...rest, command: ownCommand(command) }
          return { ...finding, ...sentences(finding) }
        })
        const marks = {
          ok: t('terminal.doctor.ok'),
          limited: t('terminal.doctor.limited'),
          missing: t('terminal.doctor.missing'),
        }
        const width = Math.max(...Object.values(marks).map(cells))
        // Beside the names there is no room for sentences on a narrow screen.
        const isNarrow = (screenOf().columns ?? Infinity) < width + 55
        const indent = isNarrow ? 2 : width + 15
        // In sentences for a person, it's said once.
        const withRemedies = findings.map(({ remedyOf, ...finding }) => {
          const { remedy, command } = findings.find(({ name }) => name === remedyOf) ?? {}
          return { ...finding, ...(remedy === undefined ? {} : { remedy, command }) }
        })
        terminal.result(
          withRemedies,
          findings
            .flatMap(({ name, status, detail, remedy, command }) => {
              const head = `${padded(marks[status], width)}  ${name.padEnd(11)}  `
              const text = wrapped(detail, indent)
              // A command is copied, and has a line of its own.
              const lines = command === undefined ? remedy : remedy?.replace(` ${command}`, `\n${command}`)
              return [
                isNarrow ? `${head.trimEnd()}\n${text}` : head + text.trimStart(),
                ...(lines?.split('\n') ?? []).map((line) =>
                  line === command ? ' '.repeat(indent) + line : wrapped(line, indent),
                ),
              ]
            })
            .join('\n'),
          { [marks.ok]: 'good', [marks.limited]: 'limited', [marks.missing]: 'bad' },
        )
        if (findings.some(({ status }) => status === 'missing')) process.exitCode = 1
      }),
    )
}

/** Returns what was found, and what to do about it, in the sentences of the window. */
function sentences({ code, facts, error, variant, command, page }: FindingItem): {
  readonly detail: string
  readonly remedy?: string
} {
  const problem = error && errorTexts({ code: error, variant, details: facts })
  const detail = [
    ...(hasSentence(code) ? [t(`doctor.what.${code}`, { ...noFacts, ...facts })] : []),
    ...(problem === undefined ? [] : [problem.what]),
  ].join(' ')
  const remedy = [
    ...(hasRemedy(code) ? [t(`doctor.todo.${code}`)] : []),
    ...(problem === undefined ? [] : [problem.todo]),
    ...(page === undefined ? [] : [helpPages[page].href]),
    ...(command === undefined ? [] : [t('doctor.remedy'), command]),
  ]
  if (remedy.length === 0) return { detail }
  return { detail, remedy: remedy.join(command?.includes('\n') === true ? '\n' : ' ') }
}
