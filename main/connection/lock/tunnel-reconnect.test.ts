import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { openLock } from './tunnel-lock.testing'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tunnel-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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
    await expect(openLock(folder).lock.askToReconnect(new AbortController().signal)).rejects.toMatchObject({
      code: 'connection/held-by-other',
      details: { kind: 'window', pid: process.pid },
    })
  })

  it('is fulfilled once there is another tunnel', async () => {
    const { lock, asked } = openLock(folder)
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
    const asking = openLock(folder)
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

  it('is given up at Ctrl-C, and the holder is hung up on', async () => {
    const { lock, asked } = openLock(folder)
    const release = await lock.claim()
    onTestFinished(release)
    const stop = new AbortController()
    let outcome: unknown
    void openLock(folder)
      .lock.askToReconnect(stop.signal)
      .catch((error: unknown) => (outcome = error))
    await expect.poll(() => asked).toEqual(['reconnect'])
    stop.abort()
    await new Promise((resolve) => setImmediate(resolve))
    expect(outcome).toMatchObject({ code: 'http/cancelled' })
  })

  it('is not made if Ctrl-C comes while the holder is looked for', async () => {
    const { lock, asked } = openLock(folder)
    const release = await lock.claim()
    onTestFinished(release)
    const stop = new AbortController()
    const asking = openLock(folder).lock.askToReconnect(stop.signal)
    stop.abort()
    await expect(asking).rejects.toMatchObject({ code: 'http/cancelled' })
    expect(asked).toEqual([])
  })
})
