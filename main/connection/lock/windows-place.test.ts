import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openLock } from './tunnel-lock.testing'
import { windowsPlace } from './tunnel-place'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Uses sockets instead of Windows' named pipes. */
describe.skipIf(process.platform === 'win32')('on Windows', () => {
  const pipePrefix = () => join(folder, 'pipe-')
  const place = () => windowsPlace(folder, { pipePrefix: pipePrefix() })
  const openHere = () => openLock(folder, place())
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
