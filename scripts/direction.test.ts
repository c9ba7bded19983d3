import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const renderer = join(import.meta.dirname, '..', 'renderer')

const physical =
  /(?<![\w-])(?:(?:left|right)\s*:|(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)\b|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/g

it('uses logical directions in all styles of the window, so that they work from right to left', async () => {
  const sheets = (await readdir(renderer, { recursive: true })).filter((name) => name.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(5)
  for (const sheet of sheets) {
    const source = await readFile(join(renderer, sheet), 'utf8')
    expect(source.replaceAll(/\/\*[^]*?\*\//g, '').match(physical) ?? [], sheet).toEqual([])
  }
})
