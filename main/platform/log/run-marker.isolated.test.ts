import type * as Fs from 'node:fs/promises'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { RunMarker } from './run-marker'
import type * as WhileInUse from '../storage/while-in-use'

/** How often a virus scanner still has the marker open. */
const scanner = vi.hoisted(() => ({ times: 0 }))
/** Processes that still have to list the markers before any goes on. */
const starts = vi.hoisted(() => ({ expected: 0, proceed: (): void => undefined, listed: Promise.resolve() }))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>()
  const rename: typeof fs.rename = async (from, to) => {
    if (scanner.times > 0) {
      scanner.times -= 1
      throw Object.assign(new Error('busy'), { code: 'EPERM' })
    }
    await fs.rename(from, to)
  }
  const readdir = async (path: string): Promise<string[]> => {
    const names = await fs.readdir(path)
    starts.expected -= 1
    if (starts.expected === 0) starts.proceed()
    await starts.listed
    return names
  }
  return { ...fs, default: fs, rename, readdir }
})
vi.mock('../storage/while-in-use', async (original) => {
  const { replaceWhileInUse } = await original<typeof WhileInUse>()
  return {
    replaceWhileInUse: <T>(replace: () => Promise<T>) => replaceWhileInUse(replace, { platform: 'win32' }),
  }
})

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-marker-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const run = { program: 'window', startedAt: '2026-11-20T18:29:34.567Z', state: 'connected' } as const

/** Lets as many processes list the markers before any of them goes on. */
function startTogether(processes: number): void {
  starts.expected = processes
  starts.listed = new Promise((resolve) => {
    starts.proceed = resolve
  })
}

it('is reported by one of several processes that start at the same time', async () => {
  const folder = await createFolder()
  for (const pid of [11, 12]) await writeFile(join(folder, `${pid}.json`), JSON.stringify(run))
  const running = [21, 22, 23]
  const markers = running.map(
    (pid) => new RunMarker({ folder, pid, isRunning: (other) => running.includes(other) }),
  )
  startTogether(markers.length)
  const reported = await Promise.all(markers.map((marker) => marker.takeEnded()))
  expect(reported.flat()).toEqual([run, run])
  expect(await readdir(folder)).toEqual([])
})

it('is reported by the next process if the one that claimed it was killed', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, '11.json.claimed-12'), JSON.stringify(run))
  startTogether(1)
  const during = new RunMarker({ folder, pid: 21, isRunning: (pid) => pid === 12 })
  expect(await during.takeEnded()).toEqual([])
  startTogether(1)
  const later = new RunMarker({ folder, pid: 21, isRunning: () => false })
  expect(await later.takeEnded()).toEqual([run])
  expect(await readdir(folder)).toEqual([])
})

it('is replaced once a virus scanner has closed it', async () => {
  const folder = await createFolder()
  const marker = new RunMarker({ folder, pid: 4321, isRunning: () => true })
  scanner.times = 3
  await marker.set(run)
  expect(scanner.times).toBe(0)
  expect(JSON.parse(await readFile(join(folder, '4321.json'), 'utf8'))).toEqual(run)
})
