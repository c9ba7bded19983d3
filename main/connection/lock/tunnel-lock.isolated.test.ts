import type * as Fs from 'node:fs/promises'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLock } from './tunnel-lock.testing'
import { tunnelPlace } from './tunnel-place'

/** A data directory whose disk hangs until `answer` is called. */
const disk = vi.hoisted(() => ({ hangs: '', answer: (): void => undefined }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>()
  const stat = async (path: string) => {
    if (path === disk.hangs)
      await new Promise<void>((resolve) => {
        disk.answer = resolve
      })
    return fs.stat(path)
  }
  return { ...fs, default: fs, stat }
})
vi.mock('../../platform/child-process/silent-place', () => ({
  silentPlace: ([path]: readonly string[]) => Promise.resolve(path === disk.hangs ? path : undefined),
}))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-hanging-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  disk.hangs = ''
  await rm(folder, { recursive: true })
})

describe.skipIf(process.platform === 'win32')('on a disk that hangs', () => {
  it.each(['use', 'claim'] as const)('%s() gives up after ten seconds, and touches nothing', async (call) => {
    disk.hangs = folder
    let failure: unknown
    // Checks and connections happen on this thread, which would hang as well.
    const touched = vi.fn()
    const place = { ...tunnelPlace(folder), check: touched, create: touched, find: touched }
    void openLock(folder, place)
      .lock[call]()
      .catch((error: unknown) => {
        failure = error
      })
    await vi.advanceTimersByTimeAsync(9999)
    expect(failure).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(failure).toMatchObject({ code: 'data/not-responding', details: { path: folder } })
    expect(touched).not.toHaveBeenCalled()
    // A folder that was silent is asked sooner the next time, until it has answered.
    disk.hangs = ''
    expect(await openLock(folder).lock.use()).toEqual({ use: 'free' })
  })

  it('the tunnel is released all the same, and its socket goes once the disk answers', async () => {
    const { lock } = openLock(folder)
    const release = await lock.claim()
    disk.hangs = folder
    const released = release()
    await vi.advanceTimersByTimeAsync(10_000)
    await released
    expect(await readdir(folder)).toEqual(['tunnel.sock'])
    disk.answer()
    await vi.waitUntil(async () => (await readdir(folder)).length === 0)
  })
})
