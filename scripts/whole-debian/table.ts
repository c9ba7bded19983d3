import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFormatted } from '../format-text'
import type { Release } from './guest'
import type { Captured } from './stage'

export interface StepResult {
  readonly name: string
  readonly seconds: number
  /** Why the step failed. */
  readonly failure: string | undefined
}

export interface Run {
  readonly release: Pick<Release, 'name' | 'number'>
  /** The day, as 2026-11-29. */
  readonly date: string
  readonly minutes: number
  readonly results: readonly StepResult[]
  readonly captured: readonly Captured[]
}

const docs = join(import.meta.dirname, '..', '..', 'docs')
const pages = { steps: join(docs, 'reliability.md'), apps: join(docs, 'apps.md') } as const
const marked = /(<!-- whole debian: .*? -->\n)(.*)(\n<!-- \/whole debian -->)/s

/** Returns the text of docs/reliability.md with a run's steps in the column of its release. */
export function withSteps(text: string, { release, date, minutes, results }: Run): string {
  const failed = results.filter(({ failure }) => failure !== undefined)
  const outcome =
    failed.length === 0
      ? `all ${results.length} steps were as expected`
      : `${failed.length} of ${results.length} steps failed`
  const column = columnOf(release)
  const line = `- ${column} (${release.name}), ${date}, ${minutes} minutes without hardware help: ${outcome}.`
  const rows = results.map(({ name, seconds, failure }) => ({
    keys: [name],
    cell: `${failure === undefined ? 'ok' : '**failed**'}, ${seconds} s`,
  }))
  return replaced(text, (before) => {
    const lines = before
      .split('\n')
      .filter((each) => each.startsWith('- ') && !each.startsWith(`- ${column} `))
    return `${[...lines, line].toSorted().join('\n')}\n\n${withColumn(before, ['Step'], column, rows)}`
  })
}

/** Returns the text of docs/apps.md with what a run has captured in the column of its release. */
export function withCaptures(text: string, { release, captured }: Run): string {
  const heads = ['Protocol', 'Family', 'Mode', 'Kill switch', 'Tunnel']
  const rows = captured.map(({ protocol, family, mode, killSwitch, tunnel, listed, other }) => ({
    keys: [
      { openvpn: 'OpenVPN', wireguard: 'WireGuard' }[protocol],
      { ipv4: 'IPv4', ipv6: 'IPv6' }[family],
      `\`${mode}\``,
      killSwitch ? 'on' : 'off',
      tunnel,
    ],
    cell: `${listed.outside} / ${listed.inside}; ${other.outside} / ${other.inside}`,
  }))
  return replaced(text, (before) => withColumn(before, heads, columnOf(release), rows))
}

const columnOf = ({ number }: Run['release']) => `Debian ${number}`

function replaced(text: string, change: (before: string) => string): string {
  return text.replace(
    marked,
    (_all, start: string, before: string, end: string) => `${start}\n${change(before)}\n${end}`,
  )
}

interface Row {
  /** The cells that tell what the row is about. */
  readonly keys: readonly string[]
  readonly cell: string
}

/** Returns a table with other cells in one column; what only other columns have stays. */
function withColumn(
  before: string,
  heads: readonly string[],
  column: string,
  changed: readonly Row[],
): string {
  const [old = [], , ...rest] = before
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const columns = [...new Set([...old.slice(heads.length), column])].toSorted()
  const rows = new Map<string, { keys: readonly string[]; cells: Map<string, string> }>()
  const row = (keys: readonly string[]) => {
    const found = rows.get(keys.join('|')) ?? { keys, cells: new Map<string, string>() }
    rows.set(keys.join('|'), found)
    return found.cells
  }
  // A run of some steps leaves the others where they are.
  const order = changed.length < rest.length ? rest.map((cells) => cells.slice(0, heads.length)) : []
  for (const keys of order) row(keys)
  for (const { keys, cell } of changed) row(keys).set(column, cell)
  for (const cells of rest)
    for (const [index, head] of old.entries())
      if (index >= heads.length && head !== column && cells[index] !== '')
        row(cells.slice(0, heads.length)).set(head, cells[index] ?? '')
  const lines = [...rows.values()]
    .filter(({ cells }) => cells.size > 0)
    .map(({ keys, cells }) => [...keys, ...columns.map((each) => cells.get(each) ?? '')])
  return [[...heads, ...columns], [...heads, ...columns].map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Writes a run of today into the pages. */
export async function writeTables(run: Omit<Run, 'date'>): Promise<void> {
  const dated = { ...run, date: new Date().toISOString().slice(0, 10) }
  for (const [page, change] of [
    [pages.steps, withSteps],
    [pages.apps, withCaptures],
  ] as const)
    await writeFormatted(page, change(await readFile(page, 'utf8'), dated))
}
