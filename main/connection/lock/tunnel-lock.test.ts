import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLock } from './tunnel-lock.testing'
import { shortPath, tunnelPlace, type TunnelPlace } from './tunnel-place'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('with a data directory path too long for a socket', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = join(folder, 'x'.repeat(100), 'é'.repeat(100), 'data')
  })

  /** Returns the links in /tmp that point to the data directory. */
  async function linksThere(): Promise<string[]> {
    const links = (await readdir('/tmp')).map((name) => join('/tmp', name, 'd'))
    const targets = await Promise.all(links.map((link) => readlink(link).catch(() => undefined)))
    return links.filter((_link, index) => targets[index] === dataDir)
  }

  it('creates the socket in the data directory and leaves nothing in /tmp', async () => {
    const { lock } = openLock(dataDir)
    const release = await lock.claim()
    const socket = await stat(join(dataDir, 'tunnel.sock'))
    expect(socket.isSocket()).toBe(true)
    expect(socket.mode & 0o777).toBe(0o600)
    const [link = '', ...others] = await linksThere()
    expect(others).toEqual([])
    expect((await stat(join(link, '..'))).mode & 0o777).toBe(0o700)
    await release()
    expect(await readdir(dataDir)).toEqual([])
    expect(await linksThere()).toEqual([])
  })

  it('removes its link also after somebody has cleaned /tmp', async () => {
    const short = shortPath(join(dataDir, 'tunnel.sock'))
    await rm(join(short.path, '../..'), { recursive: true })
    expect(() => {
      short.remove()
    }).not.toThrow()
  })

  it('shortens only a path that is too long', () => {
    const path = `/${'x'.repeat(102)}`
    expect(shortPath(path).path).toBe(path)
    const short = shortPath(`${path}x`)
    short.remove()
    expect(short.path).not.toContain('xx/')
    expect(short.path).not.toBe(`${path}x`)
  })

  it('leaves nothing in /tmp where no socket can be created', async () => {
    const path = join(dataDir, 'tunnel.sock')
    await mkdir(path, { recursive: true, mode: 0o700 })
    const place = { ...tunnelPlace(dataDir), create: () => ({ path }) }
    await expect(openLock(dataDir, place).lock.claim()).rejects.toMatchObject({
      code: 'data/unwritable',
      details: { reason: 'EADDRINUSE' },
    })
    expect(await linksThere()).toEqual([])
  })

  it('lets one process hold the tunnel and another ask it to disconnect', async () => {
    const { lock, asked } = openLock(dataDir)
    const release = await lock.claim()
    const other = openLock(dataDir).lock
    expect(await other.use()).toMatchObject({ use: 'held', holder: { pid: process.pid } })
    await expect(other.claim()).rejects.toMatchObject({
      code: 'connection/held-by-other',
      variant: undefined,
      details: { kind: 'terminal', pid: process.pid, state: 'idle', since: '2026-11-20T18:29:34.000Z' },
    })
    const asking = other.askToDisconnect({ takesOver: true })
    await expect.poll(() => asked).toMatchObject([{ takesOver: true }])
    await release()
    await asking
    expect(await other.use()).toEqual({ use: 'free' })
    await (
      await other.claim()
    )()
  })

  it('ignores another user who listens at the address of an older Causeway', async () => {
    const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
    const shared = `/tmp/causeway-${process.getuid?.() ?? 0}`
    await mkdir(shared, { recursive: true })
    const holder = { pid: 1, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } }
    const impostor = createServer((socket) => socket.end(`${JSON.stringify(holder)}\n`))
    impostor.listen(join(shared, `${hash}.sock`))
    await once(impostor, 'listening')
    onTestFinished(async () => {
      impostor.close()
      await once(impostor, 'close')
      await rmdir(shared).catch(() => undefined)
    })
    expect(await openLock(dataDir).lock.use()).toEqual({ use: 'free' })
  })
})

it.skipIf(process.platform === 'win32')('is free if its address cannot be published', async () => {
  const place: TunnelPlace = {
    ...tunnelPlace(folder),
    publish: () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  }
  const { lock } = openLock(folder, place)
  await expect(lock.claim()).rejects.toMatchObject({
    code: 'data/unwritable',
    variant: 'cannot-listen',
    details: { path: folder, reason: 'ENOSPC' },
  })
  expect(await lock.use()).toEqual({ use: 'free' })
})

it.skipIf(process.platform === 'win32')('does not believe a holder that says nonsense first', async () => {
  const holder = { pid: 1, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } }
  const server = createServer((client) => {
    client.on('error', () => undefined).write(`nonsense\n${JSON.stringify(holder)}\n`)
  })
  server.listen(join(folder, 'tunnel.sock'))
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  expect(await openLock(folder).lock.use()).toEqual({ use: 'silent' })
})

it.skipIf(process.platform === 'win32')('can be taken after a process that was killed', async () => {
  await writeFile(join(folder, 'tunnel.sock'), '')
  const { lock } = openLock(folder)
  const release = await lock.claim()
  expect(await lock.use()).toMatchObject({ use: 'held' })
  await release()
})

it.skipIf(process.platform === 'win32')('refuses a data directory that others may write to', async () => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  await chmod(folder, 0o755)
  await chmod(dataDir, 0o777)
  await expect(openLock(dataDir).lock.claim()).rejects.toMatchObject({
    code: 'data/unwritable',
    details: { path: dataDir, reason: 'not-ours' },
  })
})

it.skipIf(process.platform === 'win32')('is looked for without a timer that is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await openLock(folder).lock.use()).toEqual({ use: 'free' })
  expect(vi.getTimerCount(), 'which would keep a command waiting').toBe(0)
  const server = createServer(() => undefined)
  server.listen(join(folder, 'tunnel.sock'))
  await once(server, 'listening')
  const use = openLock(folder).lock.use()
  const [client] = (await once(server, 'connection')) as [Socket]
  await vi.advanceTimersByTimeAsync(2000)
  expect(await use, 'the process is stopped').toEqual({ use: 'silent' })
  client.destroy()
  server.close()
})

it('cannot be taken while work runs that excludes claims, and is taken afterwards', async () => {
  const steps: string[] = []
  let claimed: Promise<() => Promise<void>> | undefined
  await openLock(folder).lock.withoutClaims(async () => {
    claimed = openLock(folder)
      .lock.claim()
      .finally(() => steps.push('claimed'))
    // Longer than a claim takes that nothing holds up.
    for (let time = 0; time < 3; time += 1) {
      const release = await openLock(join(folder, 'other')).lock.claim()
      await release()
    }
    steps.push('work done')
  })
  await (
    await claimed
  )?.()
  expect(steps).toEqual(['work done', 'claimed'])
})
