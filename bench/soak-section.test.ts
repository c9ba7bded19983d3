import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { formatText } from '../scripts/format-text'
import { type SoakResults, soakSection } from './soak-section'

it('is on the page as the last results have it', async () => {
  const results = JSON.parse(await readFile('bench/results/soak.json', 'utf8')) as SoakResults
  const page = await readFile('docs/reliability.md', 'utf8')
  const written = await formatText('reliability.md', soakSection(page, results))
  expect(page).toBe(written)
})
