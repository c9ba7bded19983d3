import type * as Fs from 'node:fs/promises'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withFileLock } from './file-lock'
import type * as WhileInUse from './while-in-use'

/** How often a virus scanner still has the lock open. */
const scanner = vi.hoisted(() => ({ times: 0 }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>()
  const rm: typeof fs.rm = async (path, options) => {
    if (String(path).endsWith('.lock') && scanner.times > 0) {
      scanner.times -= 1
      throw Object.assign(new Error('busy'), { code: 'EPERM' })
    }
    await fs.rm(path, options)
  }
  return { ...fs, default: fs, rm }
})
vi.mock('./while-in-use', async (original) => {
  const { replaceWhileInUse } = await original<typeof WhileInUse>()
  return {
    replaceWhileInUse: <T>(replace: () => Promise<T>) => replaceWhileInUse(replace, { platform: 'win32' }),
  }
})

it('is given back once a virus scanner has closed it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  scanner.times = 3
  expect(await withFileLock(join(folder, 'settings.json'), () => Promise.resolve('saved'))).toBe('saved')
  expect(scanner.times).toBe(0)
  expect(await readdir(folder)).toEqual([])
})
