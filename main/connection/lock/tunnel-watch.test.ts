import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLock } from './tunnel-lock.testing'
import { tunnelPlace } from './tunnel-place'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('a watcher', () => {
  it('hangs up when it stops', async () => {
    const server = createServer()
    server.listen(join(folder, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const connection = once(server, 'connection') as Promise<[Socket]>
    const stop = openLock(folder).lock.watch(() => undefined)
    const [client] = await connection
    const closed = once(client.resume(), 'close')
    stop()
    await closed
  })

  it('hears nothing more once it has stopped, and other clients hang up when they are done', async () => {
    let left = 0
    const server = createServer((client) => {
      left += 1
      client
        .resume()
        .on('error', () => undefined)
        .on('close', () => (left -= 1))
      const holder = { pid: 1, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } }
      client.write(`${JSON.stringify(holder)}\n`)
    })
    server.listen(join(folder, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const { lock } = openLock(folder)
    const told: unknown[] = []
    const stop = lock.watch((holder) => told.push(holder?.pid))
    await expect.poll(() => told).toEqual([1])
    expect(await lock.use()).toMatchObject({ use: 'held' })
    await expect(lock.askToDisconnect({ withinMs: -1 })).rejects.toMatchObject({ details: { pid: 1 } })
    // That of the watcher.
    await expect.poll(() => left).toBe(1)
    stop()
    await expect.poll(() => left).toBe(0)
    expect(told).toEqual([1])
  })

  it('that goes away while it is told leaves the holder and others as they are', async () => {
    const { lock } = openLock(folder)
    const release = await lock.claim()
    const [gone, other] = [connect(join(folder, 'tunnel.sock')), connect(join(folder, 'tunnel.sock'))]
    await Promise.all([once(gone, 'data'), once(other, 'data')])
    gone.destroy()
    // Before the holder has noticed.
    lock.tell()
    const [told] = (await once(other, 'data')) as [Buffer]
    expect(JSON.parse(told.toString())).toMatchObject({ kind: 'terminal', connection: { state: 'idle' } })
    other.destroy()
    await release()
  })

  it.each([
    ['once where the system tells of a new one', () => undefined, 1],
    ['each second where it does not', undefined, 4],
  ])('that finds no holder looks %s', async (_when, stopWatching, times) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const find = vi.fn(() => undefined)
    const place = { ...tunnelPlace(folder), find, watch: () => stopWatching }
    const stop = openLock(folder, place).lock.watch(() => undefined)
    await vi.advanceTimersByTimeAsync(3000)
    expect(find).toHaveBeenCalledTimes(times)
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says that there is no holder once, if it is asked to, and not after it has stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { lock } = openLock(folder, {
      ...tunnelPlace(folder),
      find: () => undefined,
      watch: () => undefined,
    })
    const told: unknown[] = []
    const stops = [
      lock.watch((holder) => told.push(holder), { reportsAbsence: true }),
      lock.watch(() => told.push('not asked')),
    ]
    lock.watch(() => told.push('stopped'), { reportsAbsence: true })()
    await vi.advanceTimersByTimeAsync(3000)
    expect(told).toEqual([undefined])
    for (const stop of stops) stop()
  })

  it('that is told of a new holder looks for half a second until it listens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const find = vi.fn(() => undefined)
    let tell = (): void => undefined
    const watch = (onChange: () => void) => {
      tell = onChange
      return () => undefined
    }
    const stop = openLock(folder, { ...tunnelPlace(folder), find, watch }).lock.watch(() => undefined)
    onTestFinished(stop)
    tell()
    tell()
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(find).toHaveBeenCalledTimes(1 + 10)
  })

  it('that has a holder does not look for another one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const holder = { pid: 1, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } }
    const server = createServer((client) => {
      client.on('error', () => undefined).write(`${JSON.stringify(holder)}\n`)
    })
    const path = join(folder, 'tunnel.sock')
    server.listen(path)
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const find = vi.fn(() => ({ path }))
    let tell = (): void => undefined
    const watch = (onChange: () => void) => {
      tell = onChange
      return () => undefined
    }
    const { lock } = openLock(folder, { ...tunnelPlace(folder), find, watch })
    await new Promise<void>((resolve) => {
      const stop = lock.watch(() => {
        resolve()
      })
      onTestFinished(stop)
    })
    tell()
    await vi.advanceTimersByTimeAsync(1000)
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('that does not read is hung up on, so that it costs no memory', async () => {
    const { lock } = openLock(folder)
    lock.state = { state: 'preparing', target: { instanceId: 'x'.repeat(10_000), profileId: '' } }
    const release = await lock.claim()
    const [idle, reader] = [connect(join(folder, 'tunnel.sock')), connect(join(folder, 'tunnel.sock'))]
    await Promise.all([once(idle, 'readable'), once(reader, 'data')])
    // More than the system and the holder keep for a client.
    for (let told = 0; told < 100; told += 1) {
      lock.tell()
      await once(reader, 'data')
    }
    let received = 0
    const outcome = new Promise((resolve) => {
      idle.on('data', (chunk) => {
        received += chunk.length
        if (received > 1_000_000) resolve('told everything')
      })
      idle.on('close', () => {
        resolve('hung up on')
      })
    })
    expect(await outcome).toBe('hung up on')
    reader.destroy()
    await release()
  })
})

it.skipIf(process.platform === 'win32')(
  'is reported to watchers if another process has it, not this one',
  async () => {
    const heldBy = (pid: number) =>
      `${JSON.stringify({ pid, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } })}\n`
    const clients: Socket[] = []
    const server = createServer((client) => {
      clients.push(client)
      client.on('error', () => undefined).write(heldBy(process.pid) + heldBy(1))
    })
    server.listen(join(folder, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const holders: unknown[] = []
    const stop = openLock(folder).lock.watch((holder) => holders.push(holder?.pid))
    onTestFinished(stop)
    await expect.poll(() => holders).not.toEqual([])
    expect(holders).toEqual([1])
    server.close()
    for (const client of clients) client.destroy()
    await expect.poll(() => holders).toEqual([1, undefined])
  },
)
