import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ExpiryNotice, nextNoticeAt, noticeDue } from './expiry'
import { ExpiryWatch, type WatchedLogin, createSentNotices } from './expiry-watch'
import { testReporter } from '../reporter.testing'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-11-20T12:00:00Z')
const at = (milliseconds: number) => new Date(start + milliseconds)
const ninetyDays = { notBefore: at(0), notAfter: at(90 * day) }

describe('noticeDue', () => {
  it.each([
    [5 * hour, undefined],
    [4 * hour + 1, undefined],
    [4 * hour, 4],
    [2 * hour + 1, 4],
    [2 * hour, 2],
    [hour + 1, 2],
    [hour, 1],
    [1, 1],
    [0, 0],
    [-30 * day, 0],
  ])('returns, with %d ms left, the notice of %s hours', (left, hours) => {
    const now = at(90 * day - left)
    expect(noticeDue(ninetyDays, now)).toBe(hours)
    const next = nextNoticeAt(ninetyDays, now)
    expect(next === undefined).toBe(left <= 0)
    if (next === undefined) return
    expect(noticeDue(ninetyDays, next)).not.toBe(hours)
    expect(noticeDue(ninetyDays, new Date(next.getTime() - 1))).toBe(hours)
  })

  it('does not warn at the start of a short login', () => {
    const short = { notBefore: at(0), notAfter: at(2 * hour) }
    expect(noticeDue(short, at(1))).toBeUndefined()
    expect(noticeDue(short, at(hour))).toBe(1)
    expect(noticeDue(short, at(2 * hour))).toBe(0)
  })
})

/** An expiry watch with a manual clock and restarts, which records its notices. */
class Computer {
  readonly dataDirectory: string
  readonly notices: string[] = []
  readonly errors: unknown[] = []
  logins: readonly WatchedLogin[] = []
  renewedElsewhere: readonly WatchedLogin[] | undefined
  /** Thrown once instead of returning the logins. */
  failure: Error | undefined
  /** Thrown instead of looking for logins that other processes have renewed. */
  unreadable: Error | undefined
  /** The instance for whose notice the listener throws. */
  broken: string | undefined
  time = start
  #timers: { readonly due: number; readonly then: () => void }[] = []
  #watch: ExpiryWatch

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory
    this.#watch = this.#start()
  }

  get timers(): number {
    return this.#timers.length
  }

  #start(): ExpiryWatch {
    const now = () => new Date(this.time)
    return new ExpiryWatch({
      logins: () => {
        const { failure } = this
        this.failure = undefined
        if (failure !== undefined) throw failure
        return this.logins
      },
      refresh: () => {
        this.logins = this.renewedElsewhere ?? this.logins
        return this.unreadable === undefined ? Promise.resolve() : Promise.reject(this.unreadable)
      },
      sent: createSentNotices({
        dataDirectory: this.dataDirectory,
        kind: 'window',
        now,
        registerForget: () => undefined,
      }),
      now,
      after: (milliseconds, then) => {
        const timer = { due: this.time + milliseconds, then }
        this.#timers.push(timer)
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer)
        }
      },
      onNotice: ({ instanceId, hours }: ExpiryNotice) => {
        if (instanceId === this.broken) throw new Error('broken listener')
        this.notices.push(`${instanceId} ${hours}`)
      },
      reporter: testReporter({ notice: (notice) => this.errors.push(notice) }),
    })
  }

  check(): Promise<void> {
    return this.#watch.check()
  }

  dispose(): void {
    this.#watch.dispose()
  }

  async restart(): Promise<void> {
    this.dispose()
    this.#watch = this.#start()
    await this.check()
  }

  /** Advances the clock and runs due timers. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds
    for (;;) {
      const [next] = this.#timers.toSorted((one, other) => one.due - other.due)
      if (next === undefined || next.due > end) break
      this.time = Math.max(this.time, next.due)
      this.#timers = this.#timers.filter((timer) => timer !== next)
      next.then()
      await this.check()
    }
    this.time = end
  }

  /** Advances the clock but not the timers, as a sleeping computer does. */
  sleep(milliseconds: number): void {
    this.time += milliseconds
    this.#timers = this.#timers.map(({ due, then }) => ({ due: due + milliseconds, then }))
  }
}

async function newComputer(): Promise<Computer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-expiry-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  return new Computer(dataDirectory)
}

describe('expiry notices', () => {
  const login = { instanceId: 'one', notBefore: at(-90 * day), notAfter: at(5 * hour) }

  it('are sent once each at 4, 2, 1 and 0 hours before the end', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    await computer.check()
    await computer.pass(hour - 1)
    expect(computer.notices).toEqual([])
    await computer.pass(1)
    expect(computer.notices).toEqual(['one 4'])
    await computer.pass(2 * hour)
    expect(computer.notices).toEqual(['one 4', 'one 2'])
    await computer.pass(hour)
    await computer.pass(hour)
    expect(computer.notices).toEqual(['one 4', 'one 2', 'one 1', 'one 0'])
    await computer.pass(30 * day)
    expect(computer.notices).toHaveLength(4)
    expect(computer.timers).toBe(0)
  })

  it('are not repeated after a restart, which sends only the latest missed one', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    await computer.check()
    await computer.pass(hour)
    await computer.restart()
    await computer.restart()
    expect(computer.notices).toEqual(['one 4'])
    computer.sleep(3.5 * hour)
    await computer.restart()
    expect(computer.notices).toEqual(['one 4', 'one 1'])
  })

  it('are sent at once after a reported wake-up, and within five minutes after an unreported one', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    await computer.check()
    computer.sleep(hour)
    await computer.check()
    expect(computer.notices).toEqual(['one 4'])
    computer.sleep(2 * hour)
    expect(computer.notices).toEqual(['one 4'])
    await computer.pass(5 * minute)
    expect(computer.notices).toEqual(['one 4', 'one 2'])
  })

  it('start over after a new login, separately for each instance', async () => {
    const computer = await newComputer()
    computer.logins = [login, { ...login, instanceId: 'two', notAfter: at(6 * hour) }]
    await computer.check()
    await computer.pass(2 * hour)
    expect(computer.notices).toEqual(['one 4', 'two 4'])
    computer.logins = [{ ...login, notBefore: at(2 * hour), notAfter: at(12 * hour) }]
    await computer.check()
    await computer.pass(6 * hour)
    expect(computer.notices).toEqual(['one 4', 'two 4', 'one 4'])
  })

  it('are not sent if another process has renewed the login', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    await computer.check()
    computer.renewedElsewhere = [{ ...login, notBefore: at(0), notAfter: at(90 * day) }]
    await computer.pass(5 * hour)
    expect(computer.notices).toEqual([])
  })

  it('are sent once by the window and once by all terminal processes together', async () => {
    const { dataDirectory } = await newComputer()
    const now = () => at(0)
    const notice = { endsAt: at(hour), hours: 1 } as const
    const [window, terminal, other] = (['window', 'terminal', 'terminal'] as const).map((kind) =>
      createSentNotices({ dataDirectory, kind, now, registerForget: () => undefined }),
    )
    expect(await window?.record('one', notice)).toBe(true)
    const both = await Promise.all([terminal?.record('one', notice), other?.record('one', notice)])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await window?.record('one', { ...notice, hours: 2 })).toBe(false)
  })

  it('are sent on time, and not by a watch that has ended', async () => {
    const computer = await newComputer()
    computer.logins = [{ ...login, notAfter: at(4 * hour + minute) }]
    await computer.check()
    await computer.pass(minute)
    expect(computer.notices).toEqual(['one 4'])
    computer.dispose()
    expect(computer.timers).toBe(0)
    computer.sleep(4 * hour)
    await computer.check()
    expect(computer.notices).toEqual(['one 4'])
  })

  it('are forgotten with their instance, of window and terminal, and others stay', async () => {
    const { dataDirectory } = await newComputer()
    const forget: ((instanceId: string) => Promise<void>)[] = []
    const [window, terminal] = (['window', 'terminal'] as const).map((kind) =>
      createSentNotices({
        dataDirectory,
        kind,
        now: () => at(0),
        registerForget: (one) => forget.push(one),
      }),
    )
    const notice = { endsAt: at(hour), hours: 1 } as const
    for (const instanceId of ['one', 'two'])
      for (const each of [window, terminal]) await each?.record(instanceId, notice)
    await forget[0]?.('one')
    expect(await window?.record('one', notice)).toBe(true)
    expect(await terminal?.record('one', notice)).toBe(true)
    expect(await window?.record('two', notice)).toBe(false)
    const file = join(dataDirectory, 'expiry-notices.json')
    const before = await stat(file)
    await forget[0]?.('three')
    expect((await stat(file)).ino, 'nothing is written').toBe(before.ino)
  })

  it('are sent also where nobody knows if another process has renewed the login', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    computer.unreadable = new Error('not readable')
    await computer.check()
    await computer.pass(hour)
    expect(computer.notices).toEqual(['one 4'])
    expect(computer.errors).toMatchObject([{ code: 'internal/unexpected' }])
  })

  it('are sent by the check after a failed one', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    computer.failure = new Error('not readable')
    await expect(computer.check()).rejects.toThrow('not readable')
    expect(computer.timers).toBe(1)
    await computer.check()
    await computer.pass(hour)
    expect(computer.notices).toEqual(['one 4'])
  })

  it('are sent even if an earlier check by the timer failed', async () => {
    const computer = await newComputer()
    computer.logins = [login]
    await computer.check()
    computer.failure = new Error('not readable')
    await computer.pass(5 * minute)
    expect(computer.errors).toMatchObject([{ code: 'internal/unexpected' }])
    await computer.pass(2 * hour)
    expect(computer.notices).toEqual(['one 4'])
  })

  it('are sent even if the listener throws for another instance', async () => {
    const computer = await newComputer()
    computer.broken = 'one'
    computer.logins = [login, { ...login, instanceId: 'two' }]
    await computer.check()
    await computer.pass(3 * hour)
    expect(computer.notices).toEqual(['two 4', 'two 2'])
    expect(computer.errors).toMatchObject([{ code: 'internal/unexpected' }, { code: 'internal/unexpected' }])
  })

  it('are sent once even if they cannot be stored', async () => {
    const computer = await newComputer()
    await mkdir(join(computer.dataDirectory, 'expiry-notices.json'))
    computer.logins = [login]
    await computer.check()
    await computer.pass(hour)
    await computer.check()
    expect(computer.notices).toEqual(['one 4'])
    expect(computer.errors).toMatchObject([{ code: 'data/unreadable' }])
  })
})
