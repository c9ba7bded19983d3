import type { Validity } from '../portal/portal'
import { serial } from '../serial'
import { type NoticeHours, nextNoticeAt, noticeDue } from './notice-due'
import type { ToldNotices } from './told-notices'

/** A login that the person uses. */
export interface WatchedLogin extends Validity {
  readonly instanceId: string
}

export interface ExpiryNotice {
  readonly instanceId: string
  readonly endsAt: Date
  /** How many hours before the end it was due; 0 where the login has ended. */
  readonly hours: NoticeHours
}

export interface ExpiryWatchOptions {
  /** Those there are now. */
  readonly logins: () => readonly WatchedLogin[]
  /** Makes `logins` know whether another process has renewed this one meanwhile; asked before something is told. */
  readonly refresh?: (instanceId: string) => Promise<void>
  readonly told: ToldNotices
  readonly now: () => Date
  /** Calls back after so many milliseconds; what comes out gives that up. */
  readonly after: (milliseconds: number, then: () => void) => () => void
  readonly onNotice: (notice: ExpiryNotice) => void
  /** A notice was told, and cannot be remembered as told; or telling or looking failed. */
  readonly onError: (error: unknown) => void
}

/** Timers stand still while a computer sleeps: after it, one is late by this at most. */
const longestWaitMs = 5 * 60_000

/** Tells of each login that ends, 4, 2 and 1 hours before and at its end, each once. */
export class ExpiryWatch {
  readonly #options: ExpiryWatchOptions
  /** What could not be remembered in the file is remembered here. */
  readonly #toldHere = new Map<string, ExpiryNotice>()
  readonly #inTurn = serial()
  #stopTimer: (() => void) | undefined
  #disposed = false

  constructor(options: ExpiryWatchOptions) {
    this.#options = options
  }

  /**
   * To be called when there is another login, or the computer has woken up; resolves when what is due was told. One that
   * rejects, because `logins` threw, leaves the next one as it is.
   */
  look(): Promise<void> {
    return this.#inTurn(() => this.#look())
  }

  dispose(): void {
    this.#disposed = true
    this.#stopTimer?.()
  }

  async #look(): Promise<void> {
    const { logins, now } = this.#options
    if (this.#disposed) return
    // Should this look fail, there is another one.
    this.#lookAfter(longestWaitMs)
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
    else this.#lookAfter(Math.min(longestWaitMs, Math.max(0, Math.min(...next) - now().getTime())))
  }

  #lookAfter(milliseconds: number): void {
    const { after, onError } = this.#options
    this.#stopTimer?.()
    this.#stopTimer = after(milliseconds, () => {
      this.look().catch(onError)
    })
  }

  /** Asked anew after each wait. */
  #isDisposed(): boolean {
    return this.#disposed
  }

  /** What is due, and was not told by this object yet. */
  #noticeOf(login: WatchedLogin): ExpiryNotice | undefined {
    const { instanceId, notAfter: endsAt } = login
    const hours = noticeDue(login, this.#options.now())
    const last = this.#toldHere.get(instanceId)
    const isTold = hours !== undefined && last?.endsAt.getTime() === endsAt.getTime() && last.hours <= hours
    return hours === undefined || isTold ? undefined : { instanceId, endsAt, hours }
  }

  async #refresh(instanceId: string): Promise<void> {
    try {
      await this.#options.refresh?.(instanceId)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  async #tell(notice: ExpiryNotice): Promise<void> {
    const { told, onNotice, onError } = this.#options
    const { instanceId } = notice
    this.#toldHere.set(instanceId, notice)
    const isNews = await told.tell(instanceId, notice).catch((error: unknown) => {
      onError(error)
      return true
    })
    try {
      if (isNews && !this.#isDisposed()) onNotice(notice)
    } catch (error) {
      onError(error)
    }
  }
}
