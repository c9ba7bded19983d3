import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createOsSecretStore, type Keytar } from './os-secret-store'
import type { SecretStore } from './secret-store'

const windowsLimit = 2560
const account = 'key-pair:vpn.example.org'
const long = `é€🔒${'x'.repeat(10_000)}`

/** A key store in memory with the limits of Windows' Credential Manager. */
class Credentials implements Keytar {
  readonly entries = new Map<string, string>()
  /** Number of writes that succeed. */
  writesLeft = Infinity

  getPassword(service: string, name: string): Promise<string | null> {
    return Promise.resolve(this.entries.get(`${service}/${name}`) ?? null)
  }

  setPassword(service: string, name: string, password: string): Promise<void> {
    if (password === '') return Promise.reject(new Error('Password is required.'))
    if (Buffer.byteLength(password) > windowsLimit)
      return Promise.reject(new Error('The stub received bad data.'))
    this.writesLeft -= 1
    if (this.writesLeft < 0) return Promise.reject(new Error('Not enough quota is available.'))
    this.entries.set(`${service}/${name}`, password)
    return Promise.resolve()
  }

  deletePassword(service: string, name: string): Promise<boolean> {
    return Promise.resolve(this.entries.delete(`${service}/${name}`))
  }
}

let credentials: Credentials
let store: SecretStore

beforeEach(() => {
  credentials = new Credentials()
  store = open('win32')
})

function open(platform: NodeJS.Platform, loadKeytar: () => Keytar = () => credentials): SecretStore {
  return createOsSecretStore({ platform, loadKeytar, limitMs: 50 })
}

describe('secrets of any length', () => {
  it.each([
    ['empty', ''],
    ['short', 'token'],
    ['with a NUL, line ends and characters of all lengths', 'a\0b\r\n é€🔒'],
    ['longer than one entry', long],
  ])('are returned unchanged: %s', async (_what, secret) => {
    await store.set(account, secret)
    expect(await store.get(account)).toBe(secret)
  })

  it.each([0, 1, 1799, 1800, 1801, 3600, 3601])('fit into entries with %i bytes', async (length) => {
    await store.set(account, 'k'.repeat(length))
    expect(await store.get(account)).toBe('k'.repeat(length))
  })

  it('leave no entries behind when shortened or deleted', async () => {
    await store.set(account, long)
    expect(credentials.entries.size).toBe(6)
    await store.set(account, 'short')
    expect([...credentials.entries.keys()]).toEqual([`causeway/${account}`])
    await store.set(account, long)
    await store.delete(account)
    expect(credentials.entries.size).toBe(0)
  })

  it('are limited, so that a server cannot fill the key store', async () => {
    await expect(store.set(account, 'x'.repeat(200_000))).rejects.toMatchObject({
      code: 'secret-store/failed',
    })
    expect(credentials.entries.size).toBe(0)
  })
})

describe('inconsistent entries', () => {
  it.each([0, 1, 2, 3, 4, 5])(
    'leave the old secret as it is (write interrupted after %i entries)',
    async (writes) => {
      const before = long.replaceAll('x', 'y')
      await store.set(account, before)
      credentials.writesLeft = writes
      await expect(store.set(account, long)).rejects.toMatchObject({ code: 'secret-store/failed' })
      expect(await store.get(account)).toBe(before)

      credentials.writesLeft = Infinity
      await store.set(account, 'new')
      expect(await store.get(account)).toBe('new')
      expect(credentials.entries.size).toBe(1)
    },
  )

  it('do not replace the old short secret during an interrupted write', async () => {
    await store.set(account, 'old')
    credentials.writesLeft = 2
    await expect(store.set(account, long)).rejects.toThrow()
    expect(await store.get(account)).toBe('old')
    await store.delete(account)
    expect(credentials.entries.size).toBe(0)
  })

  it.each([
    '',
    'plain',
    '1:0:',
    '1:2a:zz:AAAA',
    `9:1a:${'0'.repeat(64)}:AAAA`,
    `1:1a:${'0'.repeat(64)}:AAAA`,
  ])('of other programs count as missing: %s', async (entry) => {
    credentials.entries.set(`causeway/${account}`, entry)
    expect(await store.get(account)).toBeUndefined()
  })
})

describe('a secret that another process replaces', () => {
  /** Two processes with one key store, and what one does before the other goes on. */
  const meanwhile = (work: (call: string) => Promise<void>): SecretStore => {
    const call = async (name: string, entry: string): Promise<void> => {
      await work(`${name} ${entry.replace('causeway/', '')}`)
    }
    return open('win32', () => ({
      getPassword: async (service, name) => {
        const entry = await credentials.getPassword(service, name)
        await call('got', name)
        return entry
      },
      setPassword: async (service, name, password) => {
        await credentials.setPassword(service, name, password)
        await call('set', name)
      },
      deletePassword: async (service, name) => {
        const deleted = await credentials.deletePassword(service, name)
        await call('deleted', name)
        return deleted
      },
    }))
  }
  const old = long.replaceAll('x', 'y')

  it('is never missing for a reader', async () => {
    await store.set(account, old)
    const seen: unknown[] = []
    await meanwhile(async () => {
      seen.push(await store.get(account))
    }).set(account, long)
    expect(seen.length).toBeGreaterThan(10)
    expect(new Set(seen)).toEqual(new Set([old, long]))
  })

  it.each(['', '#a2', '#a4'])('is read anew if that happens after entry "%s"', async (entry) => {
    await store.set(account, old)
    const reader = meanwhile(async (call) => {
      if (call === `got ${account}${entry}` && (await store.get(account)) === old)
        await store.set(account, long)
    })
    expect(await reader.get(account)).toBe(long)
  })

  it('is missing if it was deleted', async () => {
    await store.set(account, old)
    const reader = meanwhile((call) =>
      call === `got ${account}#a2` ? store.delete(account) : Promise.resolve(),
    )
    expect(await reader.get(account)).toBeUndefined()
  })
})

it('does not mix two concurrent writes', async () => {
  const other = long.replaceAll('x', 'z')
  await Promise.all([store.set(account, long), store.set(account, other)])
  expect(await store.get(account)).toBe(other)
})

it('reads a missing secret on macOS and Windows without writing', async () => {
  credentials.writesLeft = 0
  expect(await open('darwin').get('absent')).toBeUndefined()
  expect(await open('win32').get('absent')).toBeUndefined()
})

describe('a key store that waits for the user', () => {
  it('times out, and gets no new request until it answers', async () => {
    let asked = 0
    let answer = (_password: string | null): void => undefined
    const waiting: Keytar = {
      getPassword: () => {
        asked += 1
        return asked === 1 ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(null)
      },
      setPassword: () => Promise.resolve(),
      deletePassword: () => Promise.resolve(false),
    }
    const patient = open('win32', () => waiting)
    const calls = [patient.get('a'), patient.get('b'), patient.set('a', 'late')]
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'secret-store/locked' })
    }
    expect(asked).toBe(1)

    answer(null)
    expect(await patient.get('c')).toBeUndefined()
    expect(asked).toBe(2)
  })

  it('gets little time, and no second request, once the program is ending', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const ending = new AbortController()
    let isWaiting = false
    const ignoring: Keytar = {
      getPassword: () => {
        isWaiting = true
        return new Promise(() => undefined)
      },
      setPassword: () => Promise.resolve(),
      deletePassword: () => Promise.resolve(false),
    }
    const store = createOsSecretStore({
      platform: 'win32',
      loadKeytar: () => ignoring,
      signal: ending.signal,
    })
    const failure = store.get('a').catch((error: unknown) => error)
    await vi.waitUntil(() => isWaiting)
    ending.abort()
    await vi.advanceTimersByTimeAsync(3000)
    expect(await failure).toMatchObject({ code: 'secret-store/locked', variant: 'not-responding' })
    const second = store.delete('a').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    expect(await second).toMatchObject({ code: 'secret-store/locked' })
  })
})

it.each([
  ['Failed to load keytar native addon, checked [] on linux-x64', 'secret-store/unavailable'],
  ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'secret-store/unavailable'],
  ['The name org.freedesktop.secrets was not provided by any .service files', 'secret-store/unavailable'],
  ['The name is not activatable', 'secret-store/unavailable'],
  ['Could not connect: No such file or directory', 'secret-store/unavailable'],
  ['Cannot create an item in a locked collection', 'secret-store/locked'],
  ['User interaction is not allowed.', 'secret-store/locked'],
  ['User canceled the operation.', 'secret-store/locked'],
  ['The user name or passphrase you entered is not correct.', 'secret-store/locked'],
  ['An unknown error', 'secret-store/failed'],
])('maps the platform\'s message "%s" to an error', async (text, code) => {
  const failing = open('linux', () => {
    throw new Error(text)
  })
  await expect(failing.get(account)).rejects.toMatchObject({ code, details: { reason: text } })
})
