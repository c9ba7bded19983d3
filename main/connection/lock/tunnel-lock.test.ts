import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { TunnelLock, type TunnelOwner } from './tunnel-lock'
import { shortPath, tunnelPlace, windowsPlace, type TunnelPlace } from './tunnel-place'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A lock with a connection that claims the tunnel. `tell` reports a change of its state. */
class OwnLock extends TunnelLock {
  readonly asked: unknown[] = []
  state: ConnectionState = { state: 'idle' }
  readonly #listeners = new Set<() => void>()

  get owner(): TunnelOwner {
    const current = () => this.state
    return {
      get state() {
        return current()
      },
      onChange: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      disconnect: (by) => Promise.resolve(void this.asked.push(by)),
      reconnect: () => this.asked.push('reconnect'),
    }
  }

  override claim(): Promise<() => Promise<void>> {
    return super.claim(this.owner)
  }

  tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

function open(dataDir: string, place?: TunnelPlace): { lock: OwnLock; asked: unknown[] } {
  const lock = new OwnLock({
    dataDir,
    kind: 'terminal',
    now: () => new Date('2026-11-20T18:29:34Z'),
    place,
  })
  return { lock, asked: lock.asked }
}

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
    const { lock } = open(dataDir)
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

  it('leaves nothing in /tmp where no socket can be created', async () => {
    const path = join(dataDir, 'tunnel.sock')
    await mkdir(path, { recursive: true, mode: 0o700 })
    const place = { ...tunnelPlace(dataDir), create: () => ({ path }) }
    await expect(open(dataDir, place).lock.claim()).rejects.toMatchObject({
      code: 'data/unwritable',
      details: { reason: 'EADDRINUSE' },
    })
    expect(await linksThere()).toEqual([])
  })

  it('lets one process hold the tunnel and another ask it to disconnect', async () => {
    const { lock, asked } = open(dataDir)
    const release = await lock.claim()
    const other = open(dataDir).lock
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
    expect(await open(dataDir).lock.use()).toEqual({ use: 'free' })
  })
})

it.skipIf(process.platform === 'win32')('refuses a data directory that others may write to', async () => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  await chmod(folder, 0o755)
  await chmod(dataDir, 0o777)
  await expect(open(dataDir).lock.claim()).rejects.toMatchObject({
    code: 'data/unwritable',
    details: { path: dataDir, reason: 'not-ours' },
  })
})

/** Uses sockets instead of Windows' named pipes. */
describe.skipIf(process.platform === 'win32')('on Windows', () => {
  const pipePrefix = () => join(folder, 'pipe-')
  const place = () => windowsPlace(folder, { pipePrefix: pipePrefix() })
  const openHere = () => open(folder, place())
  const pipes = async () => (await readdir(folder)).filter((name) => name.startsWith('pipe-'))
  const entry = async () =>
    JSON.parse(await readFile(join(folder, 'tunnel.json'), 'utf8')) as { pipe: string; key: string }

  /** Listens at the pipe of the file, as another user could. */
  async function squat(pipe: string, onClient: (client: Socket) => void): Promise<void> {
    const squatter = createServer((client) => {
      client.on('error', () => undefined)
      onClient(client)
    })
    squatter.listen(`${pipePrefix()}${pipe}`)
    await once(squatter, 'listening')
    onTestFinished(() => {
      squatter.close()
    })
  }

  it('gives each holder a pipe with a random name, stored in a file for the owner only', async () => {
    const { lock } = openHere()
    const release = await lock.claim()
    const first = await entry()
    expect(first.pipe).toMatch(/^[0-9a-f]{32}$/)
    expect((await stat(join(folder, 'tunnel.json'))).mode & 0o777).toBe(0o600)
    expect(await pipes()).toEqual([`pipe-${first.pipe}`])
    await release()
    expect(await readdir(folder)).toEqual([])
    const releaseAgain = await lock.claim()
    const second = await entry()
    expect(second.pipe).not.toBe(first.pipe)
    expect(second.key).not.toBe(first.key)
    await releaseAgain()
  })

  it('finds the holder, follows it, and asks it to disconnect', async () => {
    const { lock, asked } = openHere()
    const target = { instanceId: 'vpn.example.org', profileId: 'office' }
    lock.state = { state: 'preparing', target }
    const release = await lock.claim()
    const other = openHere().lock
    const received: unknown[] = []
    expect(await other.use()).toMatchObject({ use: 'held', holder: { pid: process.pid, kind: 'terminal' } })
    await expect(other.claim()).rejects.toMatchObject({
      code: 'connection/held-by-other',
      variant: 'connected-to',
      details: { state: 'preparing', instance: 'vpn.example.org', profileId: 'office' },
    })
    await expect(other.askToDisconnect({ withinMs: -1 })).rejects.toMatchObject({
      code: 'connection/held-by-other',
      details: { state: 'preparing' },
    })
    const asking = other.askToDisconnect()
    await expect
      .poll(() => asked.at(-1))
      .toMatchObject({ kind: 'terminal', pid: process.pid, takesOver: false })
    await expect(other.requireNoneTo('vpn.example.org')).rejects.toMatchObject({
      code: 'connection/in-use',
      details: { instance: 'vpn.example.org' },
    })
    await expect(other.requireNoneTo('vpn.example.com')).resolves.toBeUndefined()
    await expect(other.claimBeside('vpn.example.org', other.owner)).rejects.toMatchObject({
      code: 'connection/held-by-other',
    })
    const beside = await other.claimBeside('vpn.example.com', other.owner)
    await beside()
    expect(await other.use(), 'which it never had').toMatchObject({ use: 'held' })
    const stop = other.watch((holder) => received.push(holder))
    lock.tell()
    await release()
    await asking
    stop()
    expect(received, 'of this process itself').toEqual([])
    expect(await other.use()).toEqual({ use: 'free' })
    await expect(other.askToReconnect(new AbortController().signal)).rejects.toMatchObject({
      code: 'connection/not-connected',
    })
    await expect(other.requireNoneTo('vpn.example.org')).resolves.toBeUndefined()
    const releaseOther = await other.claimBeside('vpn.example.org', other.owner)
    expect(await lock.use()).toMatchObject({ use: 'held' })
    await releaseOther()
  })

  it('gives up a place that somebody has deleted', () => {
    expect(() => {
      place().withdraw()
    }).not.toThrow()
  })

  it('sends nothing to clients without the key and ignores their requests', async () => {
    const { lock, asked } = openHere()
    const release = await lock.claim()
    const { pipe } = await entry()
    for (const said of [
      '{"ask":"disconnect"}\n',
      `${JSON.stringify({ nonce: '0'.repeat(32), proof: '0'.repeat(64) })}\n{"ask":"disconnect"}\n`,
    ]) {
      const client = connect(`${pipePrefix()}${pipe}`)
      let received = ''
      client.on('error', () => undefined).on('data', (data) => (received += data.toString()))
      const closed = once(client, 'close')
      client.write(said)
      await closed
      expect(received).toBe('')
    }
    expect(asked).toEqual([])
    await release()
  })

  it.each([
    ['claims to be the holder', '{"pid":1,"kind":"window","since":0,"connection":{"state":"idle"}}\n'],
    ['sends a false proof', `{"proof":"${'0'.repeat(64)}"}\n{"pid":1,"kind":"window","since":0}\n`],
    ['sends nonsense', 'nonsense\n'],
  ])('ignores a stranger at the pipe of an ended holder who %s', async (_what, says) => {
    // The holder's process id is in use, as if another process had got it.
    const key = '1'.repeat(64)
    const pipe = '2'.repeat(32)
    await writeFile(join(folder, 'tunnel.json'), JSON.stringify({ pid: process.pid, pipe, key }))
    await squat(pipe, (client) => client.write(says))
    const { lock } = openHere()
    expect(await lock.use()).toEqual({ use: 'free' })
    await (
      await lock.claim()
    )()
  })

  it('can be claimed while a silent stranger listens at the pipe of a killed holder', async () => {
    const gone = { pid: 2 ** 22 + 1, pipe: '3'.repeat(32), key: '4'.repeat(64) }
    await writeFile(join(folder, 'tunnel.json'), JSON.stringify(gone))
    await squat(gone.pipe, () => undefined)
    const { lock } = openHere()
    expect(await lock.use()).toEqual({ use: 'free' })
    await (
      await lock.claim()
    )()
  })

  it.each(['', 'null', '{"pid":1}', '{"pid":1,"pipe":"../x","key":"k"}'])(
    'is free if the file names no valid pipe (%s)',
    async (content) => {
      await writeFile(join(folder, 'tunnel.json'), content)
      const { lock } = openHere()
      expect(await lock.use()).toEqual({ use: 'free' })
      await (
        await lock.claim()
      )()
    },
  )
})

describe.skipIf(process.platform === 'win32')('a request to reconnect', () => {
  /** A holder that hangs up at every request. */
  async function holdInSilence(): Promise<void> {
    const holder = { pid: process.pid, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } }
    const server = createServer((client) => {
      client.write(`${JSON.stringify(holder)}\n`)
      client.on('error', () => undefined).on('data', () => client.destroy())
    })
    server.listen(join(folder, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
  }

  it('to a process that hangs up says that it is connected', async () => {
    await holdInSilence()
    await expect(open(folder).lock.askToReconnect(new AbortController().signal)).rejects.toMatchObject({
      code: 'connection/held-by-other',
      details: { kind: 'window', pid: process.pid },
    })
  })

  it('is fulfilled once there is another tunnel', async () => {
    const { lock, asked } = open(folder)
    const tunnel = (since: number): ConnectionState => ({
      state: 'connected',
      target: { instanceId: 'vpn.example.org', profileId: 'office' },
      addresses: {},
      remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
      since,
    })
    lock.state = tunnel(1)
    const release = await lock.claim()
    onTestFinished(release)
    let isUp = false
    const asking = open(folder)
      .lock.askToReconnect(new AbortController().signal)
      .finally(() => (isUp = true))
    await expect.poll(() => asked).toEqual(['reconnect'])
    const told = connect(join(folder, 'tunnel.sock'))
    await once(told, 'data')
    for (const state of [tunnel(1), { state: 'idle' } as const]) {
      lock.state = state
      lock.tell()
      await once(told, 'data')
    }
    expect(isUp).toBe(false)
    lock.state = tunnel(2)
    lock.tell()
    expect(await asking).toMatchObject({ connection: { since: 2 } })
    told.destroy()
  })

  it('is not made if Ctrl-C comes while the holder is looked for', async () => {
    const { lock, asked } = open(folder)
    const release = await lock.claim()
    onTestFinished(release)
    const stop = new AbortController()
    const asking = open(folder).lock.askToReconnect(stop.signal)
    stop.abort()
    await expect(asking).rejects.toMatchObject({ code: 'http/cancelled' })
    expect(asked).toEqual([])
  })
})

it.skipIf(process.platform === 'win32')('is looked for without a timer that is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await open(folder).lock.use()).toEqual({ use: 'free' })
  expect(vi.getTimerCount(), 'which would keep a command waiting').toBe(0)
  const server = createServer(() => undefined)
  server.listen(join(folder, 'tunnel.sock'))
  await once(server, 'listening')
  const use = open(folder).lock.use()
  const [client] = (await once(server, 'connection')) as [Socket]
  await vi.advanceTimersByTimeAsync(2000)
  expect(await use, 'the process is stopped').toEqual({ use: 'silent' })
  client.destroy()
  server.close()
})

describe.skipIf(process.platform === 'win32')('a watcher', () => {
  it('hangs up when it stops', async () => {
    const server = createServer()
    server.listen(join(folder, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const connection = once(server, 'connection') as Promise<[Socket]>
    const stop = open(folder).lock.watch(() => undefined)
    const [client] = await connection
    const closed = once(client.resume(), 'close')
    stop()
    await closed
  })

  it('that goes away while it is told leaves the holder and others as they are', async () => {
    const { lock } = open(folder)
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
    const stop = open(folder, place).lock.watch(() => undefined)
    await vi.advanceTimersByTimeAsync(3000)
    expect(find).toHaveBeenCalledTimes(times)
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says that there is no holder once, if it is asked to, and not after it has stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { lock } = open(folder, { ...tunnelPlace(folder), find: () => undefined, watch: () => undefined })
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
    const stop = open(folder, { ...tunnelPlace(folder), find, watch }).lock.watch(() => undefined)
    onTestFinished(stop)
    tell()
    await vi.advanceTimersByTimeAsync(3000)
    expect(find).toHaveBeenCalledTimes(1 + 10)
  })

  it('that does not read is hung up on, so that it costs no memory', async () => {
    const { lock } = open(folder)
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
    const stop = open(folder).lock.watch((holder) => holders.push(holder?.pid))
    onTestFinished(stop)
    await expect.poll(() => holders).not.toEqual([])
    expect(holders).toEqual([1])
    server.close()
    for (const client of clients) client.destroy()
    await expect.poll(() => holders).toEqual([1, undefined])
  },
)

it('cannot be taken while work runs that excludes claims, and is taken afterwards', async () => {
  const steps: string[] = []
  let claimed: Promise<() => Promise<void>> | undefined
  await open(folder).lock.withoutClaims(async () => {
    claimed = open(folder)
      .lock.claim()
      .finally(() => steps.push('claimed'))
    // Longer than a claim takes that nothing holds up.
    for (let time = 0; time < 3; time += 1) {
      const release = await open(join(folder, 'other')).lock.claim()
      await release()
    }
    steps.push('work done')
  })
  await (
    await claimed
  )?.()
  expect(steps).toEqual(['work done', 'claimed'])
})
