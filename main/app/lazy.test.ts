import { expect, it } from 'vitest'
import { lazy } from './lazy'

it('loads once for all callers', async () => {
  let loads = 0
  const get = lazy(() => Promise.resolve((loads += 1)))
  expect([await Promise.all([get(), get()]), await get()]).toEqual([[1, 1], 1])
})

it('loads again after a failure, which would otherwise last until a restart', async () => {
  const outcomes = [() => Promise.reject(new Error('not there yet')), () => Promise.resolve('loaded')]
  const get = lazy(() => outcomes.shift()?.() ?? Promise.reject(new Error('loaded too often')))
  await expect(Promise.all([get(), get()])).rejects.toThrow('not there yet')
  expect([await get(), await get()]).toEqual(['loaded', 'loaded'])
})
