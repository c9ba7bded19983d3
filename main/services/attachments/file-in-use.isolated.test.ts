import type * as Fs from 'node:fs/promises'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import { startTransfers } from './transfers.testing'
import type * as WhileInUse from '../../platform/storage/while-in-use'

/** How often a virus scanner still has the finished file open. */
const scanner = vi.hoisted(() => ({ times: 0 }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>()
  const rename: typeof fs.rename = async (from, to) => {
    if (String(from).endsWith('.part') && scanner.times > 0) {
      scanner.times -= 1
      throw Object.assign(new Error('busy'), { code: 'EBUSY' })
    }
    return fs.rename(from, to)
  }
  return { ...fs, default: fs, rename }
})
vi.mock('../../platform/storage/while-in-use', async (original) => {
  const { replaceWhileInUse } = await original<typeof WhileInUse>()
  return {
    replaceWhileInUse: <T>(replace: () => Promise<T>) => replaceWhileInUse(replace, { platform: 'win32' }),
  }
})

it('gives a download its name once a virus scanner has closed it', async () => {
  const world = await startTransfers(await startTestMock())
  const path = join(world.folder, 'up.bin')
  await writeFile(path, 'the content of a file')
  const { attachmentId = '' } = await world.uploaded(path, { title: 'x' })
  scanner.times = 3
  const done = await world.downloaded(attachmentId, { to: { path: join(world.folder, 'down.bin') } })
  expect(done).toMatchObject({ state: 'done' })
  expect(scanner.times).toBe(0)
  expect(await readFile(join(world.folder, 'down.bin'), 'utf8')).toBe('the content of a file')
  expect((await readdir(world.folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})
