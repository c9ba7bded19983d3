import type * as Fs from 'node:fs/promises'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { RunMarker } from './run-marker'
import type * as WhileInUse from '../storage/while-in-use'

/** How often a virus scanner still has the marker open. */
const scanner = vi.hoisted(() => ({ times: 0 }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>()
  const rename: typeof fs.rename = async (from, to) => {
    if (scanner.times > 0) {
      scanner.times -= 1
      throw Object.assign(new Error('busy'), { code: 'EPERM' })
    }
    await fs.rename(from, to)
  }
  return { ...fs, default: fs, rename }
})
vi.mock('../storage/while-in-use', async (original) => {
  const { replaceWhileInUse } = await original<typeof WhileInUse>()
  return {
    replaceWhileInUse: <T>(replace: () => Promise<T>) => replaceWhileInUse(replace, { platform: 'win32' }),
  }
})

it('is replaced once a virus scanner has closed it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-marker-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const marker = new RunMarker({ folder, pid: 4321, isRunning: () => true })
  const run = { program: 'window', startedAt: '2026-11-20T18:29:34.567Z', state: 'connected' } as const
  scanner.times = 3
  await marker.set(run)
  expect(scanner.times).toBe(0)
  expect(JSON.parse(await readFile(join(folder, '4321.json'), 'utf8'))).toEqual(run)
})
