import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CausewayError } from '../errors'
import { createHttpClient } from '../platform/http/http-client'
import { TestSigner } from '../platform/signed-list/signed-list.testing'
import { type UpdatesOptions, Updates } from './updates'
import { startTestFeed, type TestFeed } from './updates.testing'
import { testReporter } from '../reporter.testing'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
let feed: TestFeed
let dataDirectory: string
let now: Date
let problems: unknown[]

beforeEach(async () => {
  feed = await startTestFeed()
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-updates-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  now = new Date('2026-11-23T12:00:00Z')
  problems = []
})

function open(options: Partial<UpdatesOptions> = {}): Updates {
  return new Updates({
    source: () => Promise.resolve(feed.source),
    isOn: () => Promise.resolve(true),
    http: createHttpClient(),
    dataDirectory,
    now: () => now,
    random: () => 0.5,
    running: '1.2.0',
    reporter: testReporter({
      failure: (_event, error) => problems.push((error as { readonly code?: string }).code),
    }),
    ...options,
  })
}

/** Returns the version that is offered after a check a day later. */
async function offered(options?: Partial<UpdatesOptions>): Promise<string | undefined> {
  const updates = open(options)
  now = new Date(now.getTime() + 2 * dayMs)
  await updates.checkIfDue()
  return (await updates.status()).available?.version
}

describe('a signed feed', () => {
  it('offers a newer version with its page', async () => {
    feed.publish({ v: 1, version: '1.3.0', notes: 'notes/1.3.0.html' })
    expect(await offered()).toBe('1.3.0')
    const { available, looks, checkedAt } = await open().status()
    expect(available).toMatchObject({ required: false, notes: feed.url('/feed/notes/1.3.0.html') })
    expect({ looks, checkedAt }).toEqual({ looks: 'on', checkedAt: now })
    expect(problems).toEqual([])
  })

  it('offers nothing for the same version', async () => {
    feed.publish({ v: 1, version: '1.2.0' })
    expect(await offered()).toBeUndefined()
    expect((await open().status()).problem).toBeUndefined()
  })

  it('offers a release to its own pre-release', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    expect(await offered({ running: '1.3.0-beta.2' })).toBe('1.3.0')
  })

  it('says so if the running version is no longer supported', async () => {
    feed.publish({ v: 1, version: '1.3.0', minimumVersion: '1.2.1', rollout: 0 })
    // The roll-out doesn't hold it back.
    expect(await offered()).toBe('1.3.0')
    expect((await open().status()).available?.required).toBe(true)
  })

  it.each([
    [
      'an older version than the running one',
      'updates/rolled-back',
      () => {
        feed.publish({ v: 1, version: '1.1.9' })
      },
    ],
    [
      'a wrong signature',
      'updates/invalid-signature',
      () => {
        feed.publish({ v: 1, version: '1.3.0' })
        feed.put(
          '/feed/updates.json',
          Buffer.from('{"v":1,"version":"9.0.0","date":"2026-11-20","expires":"2027-01-01T00:00:00Z"}'),
        )
      },
    ],
    [
      "a stranger's key",
      'updates/invalid-signature',
      () => {
        feed.publish({ v: 1, version: '1.3.0' }, { signer: new TestSigner() })
      },
    ],
    [
      'a signature in the legacy form',
      'updates/invalid-signature',
      () => {
        feed.publish({ v: 1, version: '1.3.0' }, { algorithm: 'Ed' })
      },
    ],
    [
      'a signature for another file',
      'updates/invalid-signature',
      () => {
        feed.publish({ v: 1, version: '1.3.0' }, { comment: 'timestamp:1\tfile:server_list.json' })
      },
    ],
    [
      'a time that is over',
      'updates/expired',
      () => {
        feed.publish({ v: 1, version: '1.3.0', expires: '2026-11-24T00:00:00Z' })
      },
    ],
    [
      'no version',
      'updates/invalid-document',
      () => {
        feed.publish({ v: 1, version: 'newest' })
      },
    ],
    [
      'a file without a checksum',
      'updates/invalid-document',
      () => {
        feed.publish({ v: 1, version: '1.3.0', files: { mac: { file: 'a.zip', size: 1 } } })
      },
    ],
    [
      'a file at a file address',
      'updates/invalid-document',
      () => {
        const file = { file: 'file:///etc/passwd', sha512: `${'A'.repeat(86)}==`, size: 1 }
        feed.publish({ v: 1, version: '1.3.0', files: { mac: file } })
      },
    ],
    [
      'a feed that is not there',
      'updates/unavailable',
      () => {
        feed.fail(404)
      },
    ],
  ])('is refused with %s', async (_what, code, publish) => {
    publish()
    expect(await offered()).toBeUndefined()
    expect((await open().status()).problem?.code).toBe(code)
    expect(problems).toContain(code)
  })

  it.each([
    ['an older version than before', { v: 3, version: '1.2.9' }],
    ['a lower number than before', { v: 1, version: '1.4.0' }],
  ])('keeps the version that it offered when the server offers %s', async (_what, older) => {
    feed.publish({ v: 2, version: '1.3.0' })
    expect(await offered()).toBe('1.3.0')
    feed.publish(older)
    expect(await offered()).toBe('1.3.0')
    expect(problems).toEqual(['updates/rolled-back'])
    expect((await open().status()).problem?.code).toBe('updates/rolled-back')
  })

  it('ends with its time, also where the server keeps sending the same', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    expect(await offered()).toBe('1.3.0')
    now = new Date('2027-01-01T00:00:00Z')
    const { available, problem } = await open().status()
    expect({ available, code: problem?.code }).toEqual({ available: undefined, code: 'updates/expired' })
  })
})

describe('a staged roll-out', () => {
  it('reaches an installation once the share is above its own number', async () => {
    feed.publish({ v: 1, version: '1.3.0', rollout: 50 })
    expect(await offered()).toBeUndefined()
    expect((await open().status()).problem).toBeUndefined()
    feed.publish({ v: 2, version: '1.3.0', rollout: 51 })
    expect(await offered()).toBe('1.3.0')
  })

  it('asks for the number once, and keeps it', async () => {
    feed.publish({ v: 1, version: '1.3.0', rollout: 10 })
    expect(await offered({ random: () => 0.05 })).toBe('1.3.0')
    expect(await offered({ random: () => 0.99 })).toBe('1.3.0')
  })
})

describe('a check', () => {
  it('asks once a day, only for what changed', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    const updates = open()
    await updates.checkIfDue()
    expect(feed.requests().map(({ path }) => path)).toEqual([
      '/feed/updates.json',
      '/feed/updates.json.minisig',
    ])
    now = new Date(now.getTime() + dayMs)
    await updates.checkIfDue()
    await open().checkIfDue()
    expect(feed.requests()).toHaveLength(2)
    // A day, and half of the four hours over which checks are spread.
    now = new Date(now.getTime() + 2 * 60 * 60 * 1000)
    await updates.checkIfDue()
    expect(feed.requests()).toHaveLength(3)
    expect(feed.requests()[2]).toMatchObject({
      path: '/feed/updates.json',
      condition: expect.stringMatching(/^"/) as string,
    })
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it('waits a day after a refused feed too', async () => {
    feed.publish({ v: 1, version: '1.3.0' }, { signer: new TestSigner() })
    const updates = open()
    await updates.checkIfDue()
    await updates.checkIfDue()
    expect(feed.requests()).toHaveLength(2)
  })

  it('tries again soon where the server was not reached', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    const nowhere = { ...feed.source, url: 'http://127.0.0.1:1/' }
    let source = nowhere
    const updates = open({ source: () => Promise.resolve(source) })
    await updates.checkIfDue()
    expect(problems).toEqual(['http/unreachable'])
    source = { ...feed.source, url: feed.source.url }
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it.each([429, 500, 502, 503])('tries again an hour after the server answered %i', async (status) => {
    feed.publish({ v: 1, version: '1.3.0' })
    feed.fail(status)
    const updates = open()
    await updates.checkIfDue()
    expect(problems).toEqual(['updates/unavailable'])
    feed.recover()
    now = new Date(now.getTime() + hourMs)
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it.each([
    ['60', 60_000],
    ['7200', 2 * hourMs],
    ['Mon, 23 Nov 2026 15:00:00 GMT', 3 * hourMs],
    ['86400', dayMs],
  ])('waits as long as a busy server asks: %s', async (retryAfter, waitMs) => {
    feed.publish({ v: 1, version: '1.3.0' })
    feed.fail(503, { 'retry-after': retryAfter })
    const updates = open()
    const start = now.getTime()
    await updates.checkIfDue()
    feed.recover()
    now = new Date(start + waitMs - 1)
    await updates.checkIfDue()
    expect(feed.requests()).toHaveLength(1)
    now = new Date(start + waitMs)
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it('does not wait for a server that asks for more than a day, or after the clock was set back', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    const updates = open()
    feed.fail(503, { 'retry-after': '99999999' })
    await updates.checkIfDue()
    feed.fail(503, { 'retry-after': '3600' })
    await updates.checkIfDue()
    feed.recover()
    now = new Date(now.getTime() - dayMs)
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it('asks another feed at once while the first one asks to wait', async () => {
    feed.fail(503, { 'retry-after': '3600' })
    let { source } = feed
    const updates = open({ source: () => Promise.resolve(source) })
    await updates.checkIfDue()
    const other = await startTestFeed()
    other.publish({ v: 1, version: '1.3.0' })
    source = other.source
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it('tries again soon after a network that shows its own page', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    const portal = new CausewayError('network/captive-portal', { details: { host: 'updates.example.org' } })
    let http: UpdatesOptions['http'] = { send: () => Promise.reject(portal) }
    const updates = open({ http: { send: (url, request) => http.send(url, request) } })
    await updates.checkIfDue()
    http = createHttpClient()
    await updates.checkIfDue()
    expect((await updates.status()).available?.version).toBe('1.3.0')
  })

  it('looks at once at another feed, and forgets what the first one offered', async () => {
    feed.publish({ v: 1, version: '1.3.0' })
    await open().checkIfDue()
    const other = await startTestFeed()
    other.publish({ v: 1, version: '1.2.0' })
    const updates = open({ source: () => Promise.resolve(other.source) })
    expect((await updates.status()).available).toBeUndefined()
    await updates.checkIfDue()
    expect(other.requests()).toHaveLength(2)
    expect((await updates.status()).available).toBeUndefined()
  })

  it.each([
    ['without a feed', { source: () => Promise.resolve(undefined) }, 'not-configured'],
    ['with the setting off', { isOn: () => Promise.resolve(false) }, 'off'],
  ])('requests nothing %s', async (_what, options, looks) => {
    feed.publish({ v: 1, version: '1.3.0' })
    expect(await offered()).toBe('1.3.0')
    const before = feed.requests().length
    const updates = open(options)
    now = new Date(now.getTime() + 10 * dayMs)
    const runs: (() => void)[] = []
    const stop = updates.watch((_milliseconds, run) => {
      runs.push(run)
      return () => runs.splice(0)
    })
    for (const run of runs) run()
    await updates.checkIfDue()
    stop()
    expect(feed.requests()).toHaveLength(before)
    expect(await updates.status()).toMatchObject({ looks, available: undefined })
    expect(problems).toEqual([])
  })

  it('refuses a feed without encryption or without a usable key', async () => {
    for (const source of [
      { ...feed.source, url: 'http://updates.example.org/' },
      { ...feed.source, keys: '' },
      { ...feed.source, keys: 'RWnothing' },
    ]) {
      await open({ source: () => Promise.resolve(source) }).checkIfDue()
    }
    expect(problems).toEqual(['updates/invalid-source', 'updates/invalid-source', 'updates/invalid-source'])
    expect(feed.requests()).toEqual([])
  })
})

it('hides a version that was dismissed, but not the next one', async () => {
  feed.publish({ v: 1, version: '1.3.0' })
  expect(await offered()).toBe('1.3.0')
  let changes = 0
  const updates = open()
  updates.onChange(() => (changes += 1))
  await updates.dismiss()
  expect(changes).toBe(1)
  expect((await open().status()).isDismissed).toBe(true)
  feed.publish({ v: 2, version: '1.3.1' })
  expect(await offered()).toBe('1.3.1')
  expect((await open().status()).isDismissed).toBe(false)
})
