import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isFirstOfDay } from './once-a-day'

it('says a thing once a day, from the first time on, also in a folder that is new', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-once-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'of', 'a person', 'said')
  const now = new Date()
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  expect(await isFirstOfDay(path, now)).toBe(true)
  expect((await stat(join(folder, 'of'))).mode & 0o777).toBe(0o700)
  expect([await isFirstOfDay(path, inHours(1)), await isFirstOfDay(path, inHours(23.9))]).toEqual([
    false,
    false,
  ])
  expect(await isFirstOfDay(path, inHours(24.1))).toBe(true)
})
