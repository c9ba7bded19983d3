import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, inject, it, onTestFinished } from 'vitest'
import { withFileLock } from './file-lock'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'causeway-lock-'))
  path = join(directory, 'names.json')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const nothing = () => Promise.resolve()

/** Starts another process that holds the lock. */
async function holder(): Promise<{ readonly kill: () => Promise<unknown> }> {
  const running = execa(process.execPath, [inject('programs').processes.holdLock, path], {
    reject: false,
    timeout: 60_000,
  })
  const kill = () => {
    running.kill('SIGKILL')
    return running
  }
  onTestFinished(async () => {
    await kill()
  })
  await once(running.stdout, 'data')
  return { kill }
}

it('runs work in sequence, and leaves no file behind', async () => {
  const order: string[] = []
  const work = (name: string) =>
    withFileLock(path, async () => {
      order.push(`${name} begins`)
      await nothing()
      order.push(`${name} ends`)
    })
  await Promise.all([work('a'), work('b')])
  expect(order.map((entry) => entry.slice(2))).toEqual(['begins', 'ends', 'begins', 'ends'])
  expect(await readdir(directory)).toEqual([])
})

it('is released when the work fails', async () => {
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await readdir(directory)).toEqual([])
})

it('calls back once while it is held elsewhere, and stops waiting when the signal aborts', async () => {
  await holder()
  const cancel = new AbortController()
  let received = 0
  const waiting = withFileLock(path, nothing, {
    everyMs: 5,
    signal: cancel.signal,
    onBusy: () => {
      received += 1
    },
  })
  await expect.poll(() => received).toBe(1)
  cancel.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  expect(received).toBe(1)
})

it('reports the process that holds it too long', async () => {
  await holder()
  await expect(withFileLock(path, nothing, { waitMs: 50 })).rejects.toMatchObject({
    code: 'data/busy',
    details: { path, pid: expect.any(Number) as number },
  })
})

it('is taken over at once when its holder is killed', async () => {
  const { kill } = await holder()
  await kill()
  await expect(withFileLock(path, () => Promise.resolve('mine'), { waitMs: 1000 })).resolves.toBe('mine')
  expect(await readdir(directory)).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'is taken over when its holder has ended, though nobody waits for it',
  async () => {
    // The program that replaces the shell doesn't know its child.
    const parent = execa('sh', ['-c', 'true & echo $!; exec sleep 60'], { reject: false })
    onTestFinished(async () => {
      parent.kill('SIGKILL')
      await parent
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    await writeFile(`${path}.lock`, JSON.stringify({ pid: Number(line.toString()), token: 'other' }))
    await expect(withFileLock(path, () => Promise.resolve('mine'), { waitMs: 5000 })).resolves.toBe('mine')
  },
)

it.each([
  ['cut short by a crash', '', 6],
  ['not ours', '{"pid": "all"}', 6],
  ['too old, though its process lives', JSON.stringify({ pid: process.pid, token: 'other' }), 31],
])('is taken over when it is %s', async (_what, content, ageSeconds) => {
  await writeFile(`${path}.lock`, content)
  const then = Date.now() / 1000 - ageSeconds
  await utimes(`${path}.lock`, then, then)
  await withFileLock(path, nothing, { waitMs: 60_000, staleMs: 20 })
  expect(await readdir(directory)).toEqual([])
})

it.each([3600, -3600])('stays with a living process when the clock is set by %i seconds', async (seconds) => {
  await holder()
  const then = Date.now() / 1000 - seconds
  await utimes(`${path}.lock`, then, then)
  const cancel = new AbortController()
  const onBusy = () => {
    cancel.abort()
  }
  await expect(withFileLock(path, nothing, { signal: cancel.signal, onBusy })).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(await readdir(directory)).toEqual(['names.json.lock'])
})

it.skipIf(process.platform === 'win32')('is taken over when it is a pipe', async () => {
  await execa('mkfifo', [`${path}.lock`])
  const then = Date.now() / 1000 - 6
  await utimes(`${path}.lock`, then, then)
  await withFileLock(path, nothing, { waitMs: 1000 })
  expect(await readdir(directory)).toEqual([])
})

it('throws data/unwritable if a folder is in its place', async () => {
  await mkdir(`${path}.lock`)
  const then = Date.now() / 1000 - 6
  await utimes(`${path}.lock`, then, then)
  await expect(withFileLock(path, nothing, { waitMs: 1000 })).rejects.toMatchObject({
    code: 'data/unwritable',
    details: { path },
  })
})

it('is taken over by only one of many that find it abandoned', async () => {
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, token: 'gone' }))
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await nothing()
    inside -= 1
  }
  await Promise.all(Array.from({ length: 20 }, () => withFileLock(path, work)))
  expect(most).toBe(1)
})

it('reports the file that cannot be locked, with the reason', async () => {
  path = join(directory, 'a file', 'names.json')
  await writeFile(join(directory, 'a file'), '')
  await expect(withFileLock(path, nothing)).rejects.toMatchObject({
    code: 'data/unwritable',
    details: { path, reason: expect.stringMatching(/ENOTDIR|EEXIST/) as string },
  })
})
