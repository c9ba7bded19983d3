import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenForClients } from './tunnel-listener'
import { proofOf } from './tunnel-place'

const holder = { pid: 7, kind: 'window', since: 0, home: '/', connection: { state: 'idle' } } as const
const key = '1'.repeat(64)
const nonce = '2'.repeat(32)
const hello = `${JSON.stringify({ nonce, proof: proofOf(key, 'client', nonce) })}\n`

/** A listener with a client, and what has happened to that. */
async function listening(keyOfPlace?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-listener-'))
  const path = join(folder, 'tunnel.sock')
  const happened: string[] = []
  let notify = (): void => undefined
  const note = (what: string): void => {
    happened.push(what)
    notify()
  }
  const listener = await listenForClients(
    { path, ...(keyOfPlace !== undefined && { key: keyOfPlace }) },
    {
      current: () => holder,
      onRequest: ({ ask }) => {
        note(ask)
      },
    },
  )
  const client = connect(path)
  client
    .on('error', () => undefined)
    .on('data', (data) => {
      note(data.toString().includes('"proof"') ? 'accepted' : 'told')
    })
    .on('close', () => {
      note('hung up on')
    })
  onTestFinished(async () => {
    client.destroy()
    await listener.close()
    await rm(folder, { recursive: true })
  })
  await once(client, 'connect')
  return {
    client,
    listener,
    happened,
    next: () =>
      new Promise<void>((resolve) => {
        notify = resolve
      }),
  }
}

describe.skipIf(process.platform === 'win32')('a client of the tunnel’s holder', () => {
  it('that asks for nonsense is hung up on, and not served any more', async () => {
    const { client, happened, next } = await listening()
    if (happened.length === 0) await next()
    client.write('nonsense\n{"ask":"reconnect"}\n')
    await next()
    expect(happened).toEqual(['told', 'hung up on'])
  })

  it('that does not prove to know the key is hung up on after two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { happened, next, listener } = await listening(key)
    for (let turn = 0; turn < 1000 && vi.getTimerCount() === 0; turn += 1) await setImmediate()
    listener.tell(holder)
    vi.advanceTimersByTime(1999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    await next()
    expect(happened).toEqual(['hung up on'])
  })

  it('that knows the key may be silent for as long as it likes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { client, happened, next } = await listening(key)
    client.write(hello)
    await next()
    expect(happened).toEqual(['accepted'])
    expect(vi.getTimerCount()).toBe(0)
    client.write('{"ask":"disconnect"}\n')
    await next()
    expect(happened).toContain('disconnect')
  })
})
