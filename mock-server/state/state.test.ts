import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Collection, type Persistence, Single } from './collection'
import { inDirectory, inMemory } from './persistence'
import { SeededBytes } from './seeded-bytes'

let directory: string
let open: Persistence[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-mock-state-'))
})
afterEach(() => {
  for (const persistence of open) persistence.close()
  open = []
  rmSync(directory, { recursive: true })
})

function reopen(): Persistence {
  for (const persistence of open) persistence.close()
  const persistence = inDirectory(directory)
  open = [persistence]
  return persistence
}
const numbers = (persistence: Persistence) => new Collection(persistence, 'numbers', z.number())

describe('a collection in a directory', () => {
  it('has what was set, replaced and deleted when it is opened again', () => {
    const before = numbers(reopen())
    before.set('one', 1)
    before.set('two', 2)
    before.set('two', 22)
    before.set('three', 3)
    expect([before.delete('three'), before.delete('four')]).toEqual([true, false])
    expect(numbers(reopen()).entries()).toEqual([
      ['one', 1],
      ['two', 22],
    ])
  })

  it('can be cleared without affecting others', () => {
    const persistence = reopen()
    numbers(persistence).set('one', 1)
    const other = new Single(persistence, 'other', z.string(), 'start')
    expect(other.get()).toBe('start')
    other.set('changed')
    numbers(persistence).clear()
    const again = reopen()
    expect(numbers(again).size).toBe(0)
    expect(new Single(again, 'other', z.string(), 'start').get()).toBe('changed')
  })

  it('stores nothing of a transaction that fails', () => {
    const persistence = reopen()
    expect(() =>
      persistence.together(() => {
        numbers(persistence).set('one', 1)
        throw new Error('the second write fails')
      }),
    ).toThrow('the second write fails')
    expect(numbers(reopen()).size).toBe(0)
  })

  it('reports a damaged row by its name', () => {
    new Collection(reopen(), 'numbers', z.string()).set('one', 'text')
    expect(() => numbers(reopen())).toThrow('numbers/one')
  })
})

it('refuses a directory that another mock uses', () => {
  reopen()
  expect(() => inDirectory(directory)).toThrow('Another mock server is using it.')
})

it('refuses a file that is not a database, and says what to do', () => {
  writeFileSync(
    join(directory, 'mock.sqlite'),
    'not a database at all, and longer than its header would be'.repeat(9),
  )
  expect(() => inDirectory(directory)).toThrow('Empty the directory to start over.')
})

describe('seeded bytes', () => {
  const row = (seed: number, name = 'ids') => {
    const bytes = new SeededBytes(inMemory, name, seed)
    return [
      bytes.nextUuid('a'),
      bytes.nextUuid('b'),
      bytes.next('a', 300).toString('hex'),
      bytes.nextNumber('c'),
    ]
  }

  it('are the same for the same seed, and different for another seed, name, purpose or call', () => {
    expect(row(1)).toEqual(row(1))
    const all = [...row(1), ...row(2), ...row(1, 'secrets')]
    expect(new Set(all).size).toBe(all.length)
  })

  it('do not depend on calls for another purpose', () => {
    const bytes = new SeededBytes(inMemory, 'ids', 1)
    bytes.next('other', 8)
    expect(bytes.nextUuid('a')).toBe(row(1)[0])
  })

  it('continue in a directory, and start again after restart()', () => {
    const first = new SeededBytes(reopen(), 'ids', 1)
    const given = [first.nextUuid('a'), first.nextUuid('a')]
    const second = new SeededBytes(reopen(), 'ids', 1)
    expect(given).not.toContain(second.nextUuid('a'))
    second.restart()
    expect(second.nextUuid('a')).toBe(given[0])
  })
})
