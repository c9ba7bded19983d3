import { expect, it } from 'vitest'
import { serial } from './serial'

it('runs tasks in sequence, in the order of the calls', async () => {
  const inTurn = serial()
  const steps: string[] = []
  const task = (name: string) => async (): Promise<string> => {
    steps.push(`${name} starts`)
    await Promise.resolve()
    steps.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([inTurn(task('a')), inTurn(task('b'))])).toEqual(['a', 'b'])
  expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
})

it('runs the next tasks after one that fails or throws, and reports the error to its caller only', async () => {
  const inTurn = serial()
  const failed = inTurn(() => Promise.reject(new Error('failed')))
  const thrown = inTurn(() => {
    throw new Error('thrown')
  })
  const after = inTurn(() => 'after')
  await expect(failed).rejects.toThrow('failed')
  await expect(thrown).rejects.toThrow('thrown')
  expect(await after).toBe('after')
})
