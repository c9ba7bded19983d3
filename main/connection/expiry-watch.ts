import { join } from 'node:path'
import { z } from 'zod'
import { toErrorReport } from '../errors'
import { createJsonFile, type RegisterForget, type StoredOptions } from '../platform/storage/json-file'
import type { Validity } from '../portal/portal'
import type { Reporter } from '../reporter'
import { serial } from '../serial'
import { type ExpiryNotice, nextNoticeAt, noticeDue, noticeHours } from './expiry'
import type { Timer } from '../timer'

/** A login to watch, with its validity. */
export interface WatchedLogin extends Validity {
  readonly instanceId: string
}

export interface ExpiryWatchOptions {
  /** Returns the current logins. */
  readonly logins: () => readonly WatchedLogin[]
  /** Updates `logins` if another process has renewed this one; called before each notice. */
  readonly refresh?: (instanceId: string) => Promise<void>
  readonly sent: SentNotices
  readonly now: () => Date
  /** Starts a timer; returns a function that cancels it. */
  readonly after: Timer
  readonly onNotice: (notice: ExpiryNotice) => void
  /** Receives failures of checks and listeners, and notices that were sent but couldn't be stored. */
  readonly reporter: Pick<Reporter, 'notice'>
}

/** The longest delay of a notice after sleep, during which timers are suspended. */
const maxWaitMs = 5 * 60_000

/** Sends a notice 4, 2 and 1 hours before each login's end, and at the end. */
export class ExpiryWatch {
  readonly #options: ExpiryWatchOptions
  /** Notices that this object sent, also those that couldn't be stored. */
  readonly #sent = new Map<string, ExpiryNotice>()
  readonly #serial = serial()
  #stopTimer: (() => void) | undefined
  #disposed = false

  constructor(options: ExpiryWatchOptions) {
    this.#options = options
  }

  /**
   * Sends the notices that are due. Call it when a login changes or the computer wakes up. Rejects if `logins` throws; the
   * next check still runs.
   */
  check(): Promise<void> {
    return this.#serial(() => this.#check())
  }

  dispose(): void {
    this.#disposed = true
    this.#stopTimer?.()
  }

  async #check(): Promise<void> {
    const { logins, now } = this.#options
    if (this.#disposed) return
    // Schedules the next check even if this one fails.
    this.#checkAfter(maxWaitMs)
    for (const login of logins()) {
      const notice = this.#noticeOf(login)
      if (notice === undefined) continue
      await this.#refresh(login.instanceId)
      const current = logins().find(({ instanceId }) => instanceId === login.instanceId)
      const still = current && this.#noticeOf(current)
      if (still !== undefined) await this.#tell(still)
    }
    const next = logins().flatMap((login) => nextNoticeAt(login, now())?.getTime() ?? [])
    if (this.#isDisposed()) return
    if (next.length === 0) this.#stopTimer?.()
    else this.#checkAfter(Math.min(maxWaitMs, Math.max(0, Math.min(...next) - now().getTime())))
  }

  #checkAfter(milliseconds: number): void {
    const { after } = this.#options
    this.#stopTimer?.()
    this.#stopTimer = after(milliseconds, () => {
      this.check().catch(this.#failed)
    })
  }

  readonly #failed = (error: unknown): void => {
    this.#options.reporter.notice(toErrorReport(error))
  }

  /** Reads the field again after an `await`. */
  #isDisposed(): boolean {
    return this.#disposed
  }

  /** Returns the due notice, unless this object has sent it. */
  #noticeOf(login: WatchedLogin): ExpiryNotice | undefined {
    const { instanceId, notAfter: endsAt } = login
    const hours = noticeDue(login, this.#options.now())
    const last = this.#sent.get(instanceId)
    const isSent = hours !== undefined && last?.endsAt.getTime() === endsAt.getTime() && last.hours <= hours
    return hours === undefined || isSent ? undefined : { instanceId, endsAt, hours }
  }

  async #refresh(instanceId: string): Promise<void> {
    try {
      await this.#options.refresh?.(instanceId)
    } catch (error) {
      this.#failed(error)
    }
  }

  async #tell(notice: ExpiryNotice): Promise<void> {
    const { sent, onNotice } = this.#options
    const { instanceId } = notice
    this.#sent.set(instanceId, notice)
    const isNew = await sent.record(instanceId, notice).catch((error: unknown) => {
      this.#failed(error)
      return true
    })
    try {
      if (isNew && !this.#isDisposed()) onNotice(notice)
    } catch (error) {
      this.#failed(error)
    }
  }
}

/** The notices that were sent, so that a restart doesn't repeat them. */
export interface SentNotices {
  /** Records a notice; returns false if this one or a later one was recorded for the same end. Throws `data/*`. */
  record(instanceId: string, notice: Pick<ExpiryNotice, 'endsAt' | 'hours'>): Promise<boolean>
}

const sentSchema = z.record(z.string(), z.object({ endsAt: z.number(), hours: z.literal(noticeHours) }))

const kinds = ['window', 'terminal'] as const
type Kind = (typeof kinds)[number]

/** Longer than any login lasts. */
const keptForMs = 400 * 24 * 60 * 60_000

/**
 * Stores sent notices in `expiry-notices.json` in the data directory, separately for window and terminal: a user of one may
 * not see the other.
 */
export function createSentNotices(
  options: StoredOptions & { readonly kind: Kind; readonly registerForget: RegisterForget },
): SentNotices {
  const { dataDirectory, kind, registerForget, ...rest } = options
  const file = createJsonFile({
    ...rest,
    path: join(dataDirectory, 'expiry-notices.json'),
    schema: sentSchema,
    version: 1,
    empty: {},
  })
  registerForget(async (instanceId) => {
    const isOf = (key: string) => kinds.some((each) => key === keyOf(each, instanceId))
    if (!Object.keys(await file.read()).some(isOf)) return
    await file.update((sent) => Object.fromEntries(Object.entries(sent).filter(([key]) => !isOf(key))))
  })
  return {
    record: async (instanceId, { endsAt, hours }) => {
      const key = keyOf(kind, instanceId)
      const isNew = (sent: z.infer<typeof sentSchema>) => {
        const last = sent[key]
        return last?.endsAt !== endsAt.getTime() || last.hours > hours
      }
      if (!isNew(await file.read())) return false
      let news = false
      await file.update((sent) => {
        news = isNew(sent)
        const forgotten = options.now().getTime() - keptForMs
        const remaining = Object.entries(sent).filter(([, { endsAt: end }]) => end > forgotten)
        const own = news ? { [key]: { endsAt: endsAt.getTime(), hours } } : {}
        return { ...Object.fromEntries(remaining), ...own }
      })
      return news
    },
  }
}

function keyOf(kind: Kind, instanceId: string): string {
  return `${kind} ${instanceId}`
}
