import { join } from 'node:path'
import gt from 'semver/functions/gt'
import lt from 'semver/functions/lt'
import { z } from 'zod'
import { errorCodes } from '../../contract/error-codes'
import { Emitter } from '../emitter'
import { CausewayError } from '../errors'
import { requestCancelled } from '../platform/http/failure'
import type { HttpClient } from '../platform/http/http-client'
import { retryAfterSeconds } from '../platform/http/retrying-http'
import { SingleFlight } from '../platform/http/single-flight'
import { SignedList } from '../platform/signed-list/signed-list'
import { type ConfiguredSource, parseListSource } from '../platform/signed-list/source'
import { createJsonFile, type StoredOptions, type JsonFile } from '../platform/storage/json-file'
import { type Feed, feedName, parseFeed, type UpdateFile } from './feed'
import type { Timer } from '../timer'

/** A release that is newer than this program. */
export interface NewRelease {
  readonly version: string
  readonly notes: URL | undefined
  /** The running version isn't supported any more. */
  readonly required: boolean
  readonly files: ReadonlyMap<string, UpdateFile>
}

export interface UpdateStatus {
  /** `not-configured`: nobody has said where to look. `off`: the setting says not to look. */
  readonly looks: 'on' | 'off' | 'not-configured'
  /** The newer release to offer to this installation. */
  readonly available: NewRelease | undefined
  readonly isDismissed: boolean
  /** The time of the last answer. */
  readonly checkedAt: Date | undefined
  /** Why the last answer was refused. */
  readonly problem: CausewayError | undefined
}

export interface UpdatesOptions extends StoredOptions {
  /** Returns the feed's address and keys, if there is one. */
  readonly source: () => Promise<ConfiguredSource | undefined>
  /** Returns the setting `updates`. */
  readonly isOn: () => Promise<boolean>
  readonly http: HttpClient
  /** Returns a number from 0 up to 1, as `Math.random`. */
  readonly random: () => number
  /** The version of this program. */
  readonly running: string
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
/** Spreads the checks of many installations. */
const maxJitterMs = 4 * hourMs

const stateSchema = z.object({
  /** The roll-out percentage from which this installation is offered a release; chosen at random once. */
  share: z.number().min(0).max(100).exactOptional(),
  /** The last answer: its time in ms since the epoch, the feed's address and keys, and why it was refused. */
  checked: z
    .object({ at: z.number(), from: z.string(), problem: z.enum(errorCodes).exactOptional() })
    .exactOptional(),
  /** The version that the user dismissed. */
  dismissed: z.string().max(40).exactOptional(),
})
type State = z.infer<typeof stateSchema>

/** Looks for new versions in a signed feed, at most once a day, and refuses everything that takes a version back. */
export class Updates {
  readonly #options: UpdatesOptions
  readonly #file: JsonFile<State>
  readonly #changes: Emitter<void>
  readonly #checking = new SingleFlight((signal) => this.#check(signal), 'stop')
  #feed: { readonly name: string; readonly list: SignedList<Feed> } | undefined
  /** The pause that the server of a feed asked for, at most a day, in ms since the epoch. */
  #pause: { readonly from: string; readonly since: number; readonly until: number } | undefined

  constructor(options: UpdatesOptions) {
    this.#options = options
    this.#changes = new Emitter(options.reporter?.defect)
    const { dataDirectory, now, reporter } = options
    this.#file = createJsonFile<State>({
      path: join(dataDirectory, 'updates', 'state.json'),
      schema: stateSchema,
      version: 1,
      empty: {},
      now,
      reporter,
    })
  }

  readonly #failed = (error: unknown): void => this.#options.reporter?.failure('updates', error)

  /** Calls back after each check and dismissal; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }

  /** Returns what is known, without a request. Throws `data/unreadable`, `policy/unusable`, `updates/invalid-source`. */
  async status(): Promise<UpdateStatus> {
    const nothing = { available: undefined, isDismissed: false, checkedAt: undefined, problem: undefined }
    const source = await this.#options.source()
    if (source === undefined) return { ...nothing, looks: 'not-configured' }
    if (!(await this.#options.isOn())) return { ...nothing, looks: 'off' }
    const { checked, dismissed, share } = await this.#file.read()
    if (checked?.from !== nameOf(source)) return { ...nothing, looks: 'on' }
    const feed = await this.#feedOf(source).last()
    const problem =
      checked.problem === undefined
        ? this.#refusalOf(feed)
        : CausewayError.fromReport({ code: checked.problem })
    const available = this.#newReleaseIn(feed, share)
    return {
      looks: 'on',
      available,
      isDismissed: available !== undefined && available.version === dismissed,
      checkedAt: new Date(checked.at),
      problem,
    }
  }

  /** Checks now and every hour whether a check is due, with this timer; returns how to stop it. */
  watch(every: Timer): () => void {
    const run = (): void => {
      this.checkIfDue().catch(this.#failed)
    }
    run()
    return every(hourMs, run)
  }

  /**
   * Checks if the last answer is a day old, or from another feed. A server that can't be reached, or is busy or failing, has not
   * answered. Reports refused feeds. Requests nothing without a feed, if the setting is off, or while the server asks to wait.
   * Throws `data/*`, `policy/unusable`.
   */
  async checkIfDue(signal?: AbortSignal): Promise<void> {
    await this.#checking.join(signal, requestCancelled)
  }

  /** Hides the release that is available now. */
  async dismiss(): Promise<void> {
    const { available } = await this.status()
    if (available === undefined) return
    await this.#file.update((state) => ({ ...state, dismissed: available.version }))
    this.#changes.emit()
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { isOn, now, random } = this.#options
    const source = await this.#options.source()
    if (source === undefined || !(await isOn())) return
    const state = await this.#file.read()
    const share = state.share ?? random() * 100
    if (!this.#isDue(state, share, source) || this.#isPaused(source)) return
    let problem: CausewayError | undefined
    try {
      const feed = this.#feedOf(source)
      await feed.refresh(signal)
      problem = this.#refusalOf(await feed.last())
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error
      problem = error
    }
    if (problem !== undefined) this.#failed(problem)
    // The next hour tries again.
    if (problem !== undefined && isTemporary(problem)) return
    await this.#file.update((before) => ({
      ...before,
      share: before.share ?? share,
      checked: {
        at: now().getTime(),
        from: nameOf(source),
        problem: problem?.code,
      },
    }))
    this.#changes.emit()
  }

  #isDue({ checked }: State, share: number, source: ConfiguredSource): boolean {
    if (checked?.from !== nameOf(source)) return true
    const age = this.#options.now().getTime() - checked.at
    return age < 0 || age >= dayMs + (share / 100) * maxJitterMs
  }

  #isPaused(source: ConfiguredSource): boolean {
    if (this.#pause?.from !== nameOf(source)) return false
    const time = this.#options.now().getTime()
    // A clock that was set back doesn't make the pause longer.
    return time >= this.#pause.since && time < this.#pause.until
  }

  /** Returns the client for a feed, which notes the pause that the server asks for. */
  #httpFor(from: string): HttpClient {
    const { http, now } = this.#options
    return {
      send: async (url, request) => {
        const response = await http.send(url, request)
        if (isTemporaryStatus(response.status)) {
          const since = now().getTime()
          const seconds = retryAfterSeconds(response.headers, since) ?? 0
          this.#pause = { from, since, until: since + seconds * 1000 }
        }
        return response
      },
    }
  }

  /** Returns why a verified feed can't be used; undefined if it can. */
  #refusalOf(feed: Feed | undefined): CausewayError | undefined {
    if (feed === undefined) return undefined
    const { now, running } = this.#options
    if (feed.expires <= now()) return new CausewayError('updates/expired')
    return lt(feed.release, running) ? new CausewayError('updates/rolled-back') : undefined
  }

  #newReleaseIn(feed: Feed | undefined, share: number | undefined): NewRelease | undefined {
    const { running } = this.#options
    if (feed === undefined || share === undefined || this.#refusalOf(feed) !== undefined) return undefined
    const { release, minimumVersion, rollout, notes, files } = feed
    const required = minimumVersion !== undefined && lt(running, minimumVersion)
    const isOffered = required || share < rollout
    return isOffered && gt(release, running) ? { version: release, notes, required, files } : undefined
  }

  #feedOf(source: ConfiguredSource): SignedList<Feed> {
    const name = nameOf(source)
    if (this.#feed?.name !== name) {
      const { dataDirectory, now, reporter } = this.#options
      const list = new SignedList<Feed>({
        source: parseListSource('updates', source),
        name: feedName,
        parse: parseFeed,
        takesBack: (before, fresh) => lt(fresh.release, before.release),
        http: this.#httpFor(name),
        dataDirectory,
        now,
        onUnverified: this.#failed,
        reporter,
      })
      this.#feed = { name, list }
    }
    return this.#feed.list
  }
}

function nameOf({ url, keys }: ConfiguredSource): string {
  return `${url} ${keys}`
}

/** Returns true if the server was not reached, or couldn't answer at that time. */
function isTemporary({ code, details }: CausewayError): boolean {
  if (code.startsWith('http/') || code === 'network/captive-portal') return true
  return typeof details?.status === 'number' && isTemporaryStatus(details.status)
}

function isTemporaryStatus(status: number): boolean {
  return status === 429 || status >= 500
}
