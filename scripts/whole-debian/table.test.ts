import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withTable } from './table'

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'reliability.md'), 'utf8')

it('replaces the run on the page, and nothing else', () => {
  const results = [
    { name: 'starts', seconds: 90, failure: undefined },
    { name: 'sleep', seconds: 5, failure: 'no SUSPEND' },
  ]
  const run = { release: 'trixie', date: '2026-11-29', minutes: 20, results }
  const written = withTable(page, run)
  expect(written).toContain(
    'Debian trixie, 2026-11-29, 20 minutes without hardware help: 1 of 2 steps failed.',
  )
  expect(written).toContain('| starts | ok | 90 s |\n| sleep | **failed** | 5 s |\n')
  const other = withTable(written, { ...run, results: results.slice(0, 1) })
  expect(other).toContain('all 1 steps were as expected')
  expect(withTable(other, run)).toBe(written)
  const [before] = page.split('<!-- whole debian:')
  expect(other.startsWith(`${before ?? ''}<!-- whole debian:`)).toBe(true)
})
