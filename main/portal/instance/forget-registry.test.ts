import { expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { ForgetRegistry } from './forget-registry'

const instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }

/** A registry with one part of each kind, added in the wrong order; `failing` ones throw. */
function registry(...failing: readonly string[]): {
  readonly registry: ForgetRegistry
  readonly forgot: string[]
} {
  const forgot: string[] = []
  const made = new ForgetRegistry()
  for (const kind of ['data', 'entry', 'secrets', 'work'] as const) {
    for (const name of [`${kind} 1`, `${kind} 2`]) {
      made.add(kind, ({ id }) => {
        if (failing.includes(name))
          throw new CausewayError('data/unwritable', { details: { path: `${name} of ${id}` } })
        forgot.push(name)
        return Promise.resolve()
      })
    }
  }
  return { registry: made, forgot }
}

it('ends running work, then deletes secrets, the list entry, and the rest', async () => {
  const { registry: all, forgot } = registry()
  await all.forget(instance)
  expect(forgot).toEqual([
    ...['work 1', 'work 2', 'secrets 1', 'secrets 2'],
    ...['entry 1', 'entry 2', 'data 1', 'data 2'],
  ])
})

it('continues after a failing part, and keeps the entry while a secret may be left', async () => {
  const { registry: all, forgot } = registry('secrets 1')
  await expect(all.forget(instance)).rejects.toMatchObject({
    code: 'data/unwritable',
    message: expect.stringContaining('write to secrets 1 of vpn.example.org.') as unknown,
  })
  expect(forgot).toEqual(['work 1', 'work 2', 'secrets 2', 'data 1', 'data 2'])
})

it('throws all errors together', async () => {
  const { registry: all, forgot } = registry('data 1', 'data 2')
  await expect(all.forget(instance)).rejects.toMatchObject({
    code: 'data/unwritable',
    message: expect.stringMatching(
      /data 1 of vpn\.example\.org\. .*data 2 of vpn\.example\.org\.$/,
    ) as unknown,
    details: { failures: [{ code: 'data/unwritable' }, { code: 'data/unwritable' }] },
  })
  expect(forgot).toContain('entry 2')
})
