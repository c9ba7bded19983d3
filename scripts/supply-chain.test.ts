import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatText } from './format-text'
import { supplyChainPage, supplyChainSchema, withoutRelease } from './supply-chain-page'

const tree = join(import.meta.dirname, '..')
const read = (path: string) => readFile(join(tree, path), 'utf8')
const chain = supplyChainSchema.parse(JSON.parse(await read('scripts/supply-chain.json')))

it('is on the page', async () => {
  const page = await formatText('supply-chain.md', supplyChainPage(chain))
  expect(await read('docs/supply-chain.md')).toBe(page)
})

it('has a reason for each package without a known release in two years, and no other', () => {
  expect(Object.keys(chain.reasons).sort()).toEqual(withoutRelease(chain))
})

it('asks for a reason once the last known release is more than two years old', () => {
  const part = { name: 'old', version: '1.0.0', license: 'MIT', who: 'a/b', where: [] }
  const on = (release: object) =>
    withoutRelease(
      supplyChainSchema.parse({
        asked: '2026-11-26',
        parts: [part],
        releases: { old: release },
        reasons: {},
      }),
    )
  const version = '1.0.0'
  expect(on({ version, date: '2024-11-26' })).toEqual([])
  expect(on({ version, date: '2024-11-25' })).toEqual(['old'])
  // That of a mirror says nothing.
  expect(on({ version, by: '2026-11-25' })).toEqual(['old'])
  expect(on({ version, by: '2026-11-25', known: { version: '0.9.0', date: '2026-01-01' } })).toEqual([])
})

it('names a licence, an origin and a place for each part', () => {
  for (const part of chain.parts) {
    expect(part.license, part.name).not.toBe('')
    expect(part.who, part.name).toMatch(/^[\w.-]+\/[\w.-]+$|^golang/)
    expect(part.where, part.name).not.toEqual([])
  }
})
