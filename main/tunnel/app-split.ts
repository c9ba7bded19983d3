import { type AppsSplit, maxApps } from '../../contract/apps'
import type { AppGroup } from '../platform/apps/listed-apps'
import type { AppsRequest } from '../privilege/helper-client'
import type { AppOutcome } from '../privilege/helper-messages'

/** The apps of a person that a tunnel is to divide. */
export interface DividedApps {
  readonly mode: AppsSplit['mode']
  readonly whileBlocked: AppsRequest['whileBlocked']
  /** The control group for programs that are started for this. */
  readonly startedIn: string
  /** What is in the list. */
  readonly list: readonly string[]
  /** The listed apps that run, and the programs that were started for this. */
  readonly running: readonly AppGroup[]
  /** Subscribes to changes of both, once. */
  onChange(listener: () => void): void
  close(): void
}

/** Divides the apps of a tunnel: hands to its helper which control groups are on the other side than the rest, and says which apps are. */
export class AppSplit {
  readonly #apps: DividedApps
  #given: ReadonlySet<string>
  /** The control groups of the commands that have no answer yet. */
  readonly #asked: string[] = []
  readonly #failed = new Set<string>()
  #send: (command: string) => void = () => undefined
  #tell: (apps: AppsSplit) => void = () => undefined

  constructor(apps: DividedApps) {
    this.#apps = apps
    this.#given = this.#wanted()
  }

  /** What the helper gets before the tunnel starts, so that there is no gap. */
  get request(): AppsRequest {
    return { mode: this.#apps.mode, whileBlocked: this.#apps.whileBlocked, groups: [...this.#given] }
  }

  get current(): AppsSplit {
    const { mode, running, list } = this.#apps
    const failed = running.filter(({ controlGroup }) => this.#failed.has(controlGroup))
    const names = (groups: readonly AppGroup[]) =>
      [...new Set(groups.map(({ app }) => app))].slice(0, maxApps)
    const all = [...new Set([...list, ...names(running)])]
    return {
      mode,
      outside: mode === 'except' ? all : [],
      inside: mode === 'only' ? all : [],
      running: names(running.filter((each) => !failed.includes(each))),
      ...(failed.length > 0 && { failed: names(failed) }),
    }
  }

  /** Follows the apps while the helper runs. */
  follow(send: (command: string) => void, tell: (apps: AppsSplit) => void): void {
    this.#send = send
    this.#tell = tell
    this.#apps.onChange(() => {
      this.#update()
    })
    this.#update()
  }

  /** Handles the answer to the oldest command without one. */
  onAnswer(outcome: AppOutcome): void {
    const group = this.#asked.shift()
    if (group === undefined) return
    const isFailed = outcome === 'refused' || outcome === 'full' || outcome === 'failed'
    if (isFailed === this.#failed.has(group)) return
    if (isFailed) this.#failed.add(group)
    else this.#failed.delete(group)
    this.#tell(this.current)
  }

  close(): void {
    this.#send = () => undefined
    this.#tell = () => undefined
    this.#apps.close()
  }

  #wanted(): ReadonlySet<string> {
    const { startedIn, running } = this.#apps
    const groups = running.map(({ controlGroup }) => controlGroup)
    return new Set([
      startedIn,
      // A group includes everything below it.
      ...groups.filter((group) => !group.startsWith(`${startedIn}/`)),
    ])
  }

  #update(): void {
    const wanted = this.#wanted()
    for (const group of wanted) if (!this.#given.has(group)) this.#ask('add', group)
    for (const group of this.#given) if (!wanted.has(group)) this.#ask('remove', group)
    this.#given = wanted
    this.#tell(this.current)
  }

  #ask(what: 'add' | 'remove', group: string): void {
    this.#asked.push(group)
    this.#send(`app ${what} ${group}`)
  }
}
