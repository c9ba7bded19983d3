import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

export interface StepResult {
  readonly name: string
  readonly seconds: number
  /** Why the step failed. */
  readonly failure: string | undefined
}

export interface Run {
  /** The name of Debian's release. */
  readonly release: string
  /** The day, as 2026-11-29. */
  readonly date: string
  readonly minutes: number
  readonly results: readonly StepResult[]
}

const page = join(import.meta.dirname, '..', '..', 'docs', 'reliability.md')
const marked = /(<!-- whole debian: .*? -->\n).*(\n<!-- \/whole debian -->)/s

/** Returns the text of docs/reliability.md with a run between its marks. */
export function withTable(text: string, { release, date, minutes, results }: Run): string {
  const failed = results.filter(({ failure }) => failure !== undefined)
  const rows = results.map(
    ({ name, seconds, failure }) =>
      `| ${name} | ${failure === undefined ? 'ok' : '**failed**'} | ${seconds} s |`,
  )
  const table = `
Debian ${release}, ${date}, ${minutes} minutes without hardware help: ${
    failed.length === 0
      ? `all ${results.length} steps were as expected`
      : `${failed.length} of ${results.length} steps failed`
  }.

| Step | | Took |
| --- | --- | --- |
${rows.join('\n')}
`
  return text.replace(marked, (_all, start: string, end: string) => `${start}${table}${end}`)
}

/** Writes a run of today into the page. */
export async function writeTable(run: Omit<Run, 'date'>): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(page, withTable(await readFile(page, 'utf8'), { ...run, date }))
  await execa('prettier', ['--write', page], { preferLocal: true })
}
