import { readFile } from 'node:fs/promises'
import { format } from 'prettier'
import { expect, it } from 'vitest'
import { type SoakResults, soakSection } from './soak-section'

it('is on the page as the last results have it', async () => {
  const results = JSON.parse(await readFile('bench/results/soak.json', 'utf8')) as SoakResults
  const page = await readFile('docs/reliability.md', 'utf8')
  const written = await format(soakSection(page, results), { parser: 'markdown', printWidth: 120 })
  expect(page).toBe(written)
})
