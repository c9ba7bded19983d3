import { expect, it } from 'vitest'
import { pagesWithLists } from './mock-docs'

it('lists what the mock server has: write the pages anew with npx tsx scripts/mock-docs.ts', async () => {
  const pages = await pagesWithLists()
  expect(pages.length).toBeGreaterThan(3)
  for (const { file, isText, shouldBe } of pages) expect(isText, file).toBe(shouldBe)
})
