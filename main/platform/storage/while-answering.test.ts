import { expect, it } from 'vitest'
import { whileAnswering } from './while-answering'

const never = () => new Promise<never>(() => undefined)
/** Everything below `/gone` is silent, and nothing above. */
const silent = ([path = '']: readonly string[]) =>
  Promise.resolve(path.startsWith('/gone') ? path : undefined)
const answering = () => Promise.resolve(undefined)

it('names the folder of a file if neither the work nor a program gets an answer, and then waits less', async () => {
  const failure = { code: 'data/not-responding', details: { path: '/gone' } }
  const options = { askAfterMs: 20, limitMs: 60_000, silentPlace: silent }
  await expect(whileAnswering('/gone/a.json', never, options)).rejects.toMatchObject(failure)
  expect(await whileAnswering('/gone/a.json', () => Promise.resolve('back'))).toBe('back')
  // The one above as well, which holds more.
  await expect(whileAnswering('/gone/log/a.log', never, options)).rejects.toMatchObject(failure)
  const again = { ...options, askAfterMs: 100, silentPlace: never }
  await expect(whileAnswering('/gone/running/b.json', never, again)).rejects.toMatchObject({
    details: { path: '/gone/running' },
  })
  // Until the folder answers.
  expect(await whileAnswering('/gone/a.json', () => Promise.resolve('back'))).toBe('back')
  const slow = { askAfterMs: 1, limitMs: 50, silentPlace: answering }
  await expect(whileAnswering('/gone/b.json', never, slow)).rejects.toMatchObject(failure)
})

it('waits for a disk that is only slow', async () => {
  let finish = (_result: string): void => undefined
  const work = () =>
    new Promise<string>((resolve) => {
      finish = resolve
    })
  const silentPlace = () => {
    finish('written')
    return answering()
  }
  expect(await whileAnswering('/slow/a.json', work, { askAfterMs: 1, silentPlace })).toBe('written')
})

it("passes the work's error on", async () => {
  await expect(whileAnswering('/a.json', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
