import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFormatted } from './format-text'

/** How a part of `npm run test:nightly` ended. */
export interface Night {
  /** Its name on the command line. */
  readonly key: string
  readonly name: string
  /** The versions with which it ran. */
  readonly used: string
  readonly hasPassed: boolean
  readonly minutes: number
}

const page = join(import.meta.dirname, '..', 'docs', 'testing.md')
const marked = /(<!-- nightly: [^\n]*? -->\n)(.*)(\n<!-- \/nightly -->)/s

/**
 * Returns the text of docs/testing.md with the row of a part, in place of its earlier one.
 *
 * @param date the day, as 2026-11-29
 */
export function withNight(
  text: string,
  { key, name, used, hasPassed, minutes }: Night,
  date: string,
): string {
  return text.replace(marked, (_all, start: string, table: string, end: string) => {
    const others = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .filter((line) => !line.startsWith(`| \`${key}\` `))
    const row = `| \`${key}\` | ${name} | ${used} | ${date} | ${hasPassed ? 'passed' : '**failed**'} | ${minutes} min |`
    const head = ['| Part | What | With | When | Result | Took |', '| --- | --- | --- | --- | --- | --- |']
    return `${start}\n${[...head, ...[...others, row].sort()].join('\n')}\n${end}`
  })
}

/** Writes how a part ended today into the page. */
export async function writeNight(night: Night): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  await writeFormatted(page, withNight(await readFile(page, 'utf8'), night, date))
}
