import { type AppsSplit, maxApps, type MoveFailure, moveFailures } from '../../contract/apps'
import type { TunnelDetails } from '../../contract/connection'
import type { AppGroup } from '../platform/apps/listed-apps'
import type { AppProcess } from '../platform/apps/running-programs'
import { type AppsRequest, maxGroups } from '../privilege/helper-client'
import type { AppOutcome } from '../privilege/helper-messages'

/** The apps of a person that a tunnel is to divide. */
export interface DividedApps {
  readonly mode: AppsSplit['mode']
  readonly whileBlocked: AppsRequest['whileBlocked']
  /** The control group for programs that are started for this, and which run of it. */
  readonly startedIn: Omit<AppGroup, 'app'> | undefined
  /** What is in the list. */
  readonly list: readonly string[]
  /** The listed apps that run, and the programs that were started for this. */
  readonly running: readonly AppGroup[]
  /** The processes of listed apps, where nobody but the helper makes groups for them. */
  readonly processes?: readonly AppProcess[]
  /** The processes of apps that aren't listed any more. */
  readonly leaving?: readonly AppProcess[]
  /** The DNS servers that apps outside are to ask; default: those of the tunnel. */
  readonly names?: readonly string[]
  /** Subscribes to changes of all this, once. */
  onChange(listener: () => void): void
  close(): void
}

/** What follows a division. */
export interface SplitListener {
  /** Sends a command to the helper. */
  readonly send: (command: string) => void
  readonly tell: (apps: AppsSplit) => void
  /** Called once, when more groups are to be on the other side than the helper takes. */
  readonly onFull: () => void
}

/** A control group without its path. */
type Group = Pick<AppGroup, 'run'> & Partial<Pick<AppGroup, 'app'>>
type Groups = ReadonlyMap<string, Group>

/** A command without an answer. */
interface Asked {
  readonly onAnswer: (outcome: AppOutcome) => void
  /** Called if there will be none. */
  readonly onLost: () => void
}

interface MovedProcess extends AppProcess {
  isThere: boolean
  /** Why the last move failed. */
  failure?: MoveFailure | undefined
  /** The move that has no answer yet. */
  asked: 'there' | 'back' | undefined
}

/** Divides the apps of a tunnel: hands to its helper which control groups are on the other side than the rest, and says which apps are. */
export class AppSplit {
  readonly #apps: DividedApps
  /** The groups that the helper was asked to have on the other side, by their paths. */
  #given: Map<string, Group>
  /** Those that are there by its answers. */
  readonly #there = new Map<string, Group>()
  /** Those for which it has no room. */
  #overflow: Groups = new Map()
  /** The commands that have no answer yet. */
  #asked: Asked[] = []
  /** What couldn't be moved, and is tried again with the next change; once at once. */
  readonly #failed = new Map<string, Group & { readonly isTriedAgain: boolean; readonly why: MoveFailure }>()
  /** The processes in the group of the helper's, and those that it was asked to move there or back. */
  readonly #moved = new Map<string, MovedProcess>()
  /** The name servers that the helper was told. */
  #names = ''
  #listener: SplitListener | undefined
  #isFull = false

  constructor(apps: DividedApps) {
    this.#apps = apps
    this.#given = this.#wanted()
    // It has these before the tunnel is up, of which nothing is told before.
    for (const [path, group] of this.#given) this.#there.set(path, group)
  }

  /** What the helper gets before the tunnel starts, so that there is no gap. */
  get request(): AppsRequest {
    return { mode: this.#apps.mode, whileBlocked: this.#apps.whileBlocked, groups: [...this.#given.keys()] }
  }

  /**
   * Returns the details of the tunnel with its apps. Where only some use it, the helper leads what anybody asks the tunnel's DNS servers
   * through it, which no route shows.
   */
  added({ dnsOutside, ...details }: TunnelDetails): TunnelDetails {
    const apps = this.current
    return { ...details, ...(apps.mode === 'except' && dnsOutside && { dnsOutside }), apps }
  }

  get current(): AppsSplit {
    const { mode, running, list } = this.#apps
    const there = [
      ...running.filter((each) => this.#isThere(each)),
      ...[...this.#moved.values()].filter(({ isThere }) => isThere),
    ].map(({ app }) => app)
    // One that couldn't be taken back is still there.
    const stuck = [...this.#failed.keys()].flatMap((path) => this.#there.get(path)?.app ?? [])
    const failed = [
      ...this.#failed.values(),
      ...[...this.#overflow.values()].map(({ app }) => ({ app, why: 'full' as const })),
      ...[...this.#moved.values()].map(({ app, failure }) => ({ app, why: failure })),
    ].flatMap(({ app, why }) => (app === undefined || why === undefined ? [] : [{ app, why }]))
    const all = [...new Set([...list, ...there, ...stuck])].slice(0, 2 * maxApps)
    return {
      mode,
      outside: mode === 'except' ? all : [],
      inside: mode === 'only' ? all : [],
      running: unique([...there, ...stuck]),
      ...(failed.length > 0 && { failed: firstOfEach(failed) }),
    }
  }

  /** Follows the apps while a helper runs, which may be another one than before: what has no answer is asked again. */
  follow(listener: SplitListener): void {
    this.#listener = listener
    for (const { onLost } of this.#asked.splice(0)) onLost()
    this.#apps.onChange(() => {
      this.#update()
    })
    this.#update()
  }

  /** Handles the answer to the oldest command without one. */
  onAnswer(outcome: AppOutcome): void {
    const asked = this.#asked.shift()
    if (asked === undefined) return
    asked.onAnswer(outcome)
    this.#listener?.tell(this.current)
  }

  close(): void {
    this.#listener = undefined
    this.#apps.close()
  }

  #isThere({ controlGroup, run }: AppGroup): boolean {
    const { startedIn } = this.#apps
    const path =
      startedIn && isBelow(startedIn.controlGroup, controlGroup) ? startedIn : { controlGroup, run }
    return this.#there.get(path.controlGroup)?.run === path.run
  }

  /** Returns the groups that are to be on the other side, as many as the helper takes: those that it has stay. */
  #wanted(before: Groups = new Map()): Map<string, Group> {
    const { startedIn, running } = this.#apps
    const wanted = new Map<string, Group>()
    if (startedIn !== undefined) wanted.set(startedIn.controlGroup, { run: startedIn.run })
    for (const { controlGroup, app, run } of running)
      // A group includes everything below it.
      if (startedIn === undefined || !isBelow(startedIn.controlGroup, controlGroup))
        wanted.set(controlGroup, { app, run })
    const rank = (path: string): number => (path === startedIn?.controlGroup ? 0 : before.has(path) ? 1 : 2)
    const ordered = [...wanted].toSorted(([one], [other]) => rank(one) - rank(other))
    this.#overflow = new Map(ordered.slice(maxGroups))
    return new Map(ordered.slice(0, maxGroups))
  }

  #update(): void {
    const wanted = this.#wanted(this.#given)
    const isSame = (one: Groups, other: Groups, path: string): boolean =>
      one.get(path)?.run === other.get(path)?.run && other.has(path)
    // First, because the others may need the room.
    for (const [path, group] of this.#given)
      if (!isSame(this.#given, wanted, path)) this.#ask('remove', path, group)
    for (const path of [...this.#failed.keys()]) this.#tryAgain(path, wanted)
    for (const [path, group] of wanted) if (!isSame(wanted, this.#given, path)) this.#ask('add', path, group)
    this.#given = wanted
    this.#moveProcesses()
    this.#tellNames()
    if (this.#overflow.size > 0) this.#sayFull()
    this.#listener?.tell(this.current)
  }

  /** Asks again for what failed: a group that is to be added, or one that is to be taken back. */
  #tryAgain(path: string, wanted: Groups): void {
    const isThere = this.#there.has(path)
    if (wanted.has(path) && this.#given.has(path)) {
      const group = wanted.get(path)
      if (!isThere && group !== undefined && group.run === this.#given.get(path)?.run)
        this.#ask('add', path, group)
    } else if (!wanted.has(path) && !this.#given.has(path)) {
      const group = this.#failed.get(path)
      if (isThere && group !== undefined) this.#ask('remove', path, group)
      // What was never there has ended, or isn't listed any more.
      else if (!isThere) this.#failed.delete(path)
    }
  }

  #ask(what: 'add' | 'remove', path: string, group: Group): void {
    this.#send(`app ${what} ${path}`, {
      onAnswer: (outcome) => {
        this.#onGroup(what, path, group, outcome)
      },
      onLost: () => {
        if (what === 'add') this.#given.delete(path)
        else this.#given.set(path, group)
      },
    })
  }

  #onGroup(what: 'add' | 'remove', path: string, group: Group, outcome: AppOutcome): void {
    const isDone = outcome === 'added' || outcome === 'removed' || outcome === 'none' || outcome === 'gone'
    if (isDone) {
      this.#failed.delete(path)
      if (outcome === 'added') this.#there.set(path, group)
      else this.#there.delete(path)
      return
    }
    const isTriedAgain = this.#failed.get(path)?.isTriedAgain === true
    const failed = what === 'remove' ? (this.#there.get(path) ?? group) : group
    this.#failed.set(path, { ...failed, isTriedAgain: true, why: failureOf(outcome) })
    if (outcome === 'full') this.#sayFull()
    // Another program may have changed the firewall in the same moment. The next time, a change has to come first.
    else if (!isTriedAgain && outcome === 'failed') this.#ask(what, path, group)
  }

  /**
   * Moves the processes of listed apps to the group of the helper's, and those of others back, with what these have started since. One
   * that couldn't be moved is tried again with the next change.
   */
  #moveProcesses(): void {
    const { processes = [], leaving = [] } = this.#apps
    const wanted = new Map(processes.map((each) => [keyOf(each), each]))
    for (const each of leaving)
      if (!wanted.has(keyOf(each)) && !this.#moved.has(keyOf(each)))
        this.#moved.set(keyOf(each), { ...each, isThere: true, asked: undefined })
    for (const [key, each] of this.#moved) {
      if (wanted.has(key) || each.asked === 'back') continue
      if (each.isThere || each.asked === 'there') this.#move(each, 'back')
      else this.#moved.delete(key)
    }
    for (const [key, each] of wanted) {
      const moved = this.#moved.get(key) ?? { ...each, isThere: false, asked: undefined }
      this.#moved.set(key, moved)
      if (moved.asked !== 'there' && (moved.asked === 'back' || !moved.isThere)) this.#move(moved, 'there')
    }
  }

  #move(moved: MovedProcess, way: 'there' | 'back'): void {
    const side = (this.#apps.mode === 'except') === (way === 'there') ? 'outside' : 'inside'
    moved.asked = way
    const end = (isThere: boolean, isGone = false, failure?: MoveFailure): void => {
      moved.isThere = isThere
      moved.failure = failure
      // A later command decides.
      if (moved.asked !== way) return
      moved.asked = undefined
      if ((isGone || (way === 'back' && !isThere)) && this.#moved.get(keyOf(moved)) === moved)
        this.#moved.delete(keyOf(moved))
    }
    this.#send(`app move ${moved.pid} ${side}`, {
      onAnswer: (outcome) => {
        if (outcome === 'gone') end(false, true)
        else if (outcome === 'moved') end(way === 'there')
        else end(way === 'back', false, failureOf(outcome))
      },
      onLost: () => {
        // It may have been carried out.
        end(way === 'back', way === 'there')
      },
    })
  }

  #tellNames(): void {
    const [before, names] = [this.#names, (this.#apps.names ?? []).join(',')]
    if (before === names) return
    this.#names = names
    // Again with the next change.
    const onLost = (): void => {
      this.#names = before
    }
    this.#send(`app names ${names === '' ? 'off' : names}`, {
      onAnswer: (outcome) => {
        if (outcome !== 'names') onLost()
      },
      onLost,
    })
  }

  #send(command: string, asked: Asked): void {
    this.#asked.push(asked)
    this.#listener?.send(command)
  }

  #sayFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    this.#listener?.onFull()
  }
}

function isBelow(group: string, path: string): boolean {
  return path.startsWith(`${group}/`)
}

function unique(apps: readonly string[]): string[] {
  return [...new Set(apps)].slice(0, maxApps)
}

function failureOf(outcome: AppOutcome): MoveFailure {
  return moveFailures.find((each) => each === outcome) ?? 'failed'
}

/** Returns each app once, with its first failure. */
function firstOfEach(failed: NonNullable<AppsSplit['failed']>): NonNullable<AppsSplit['failed']> {
  return failed
    .filter(({ app }, index) => failed.findIndex((each) => each.app === app) === index)
    .slice(0, maxApps)
}

function keyOf({ pid, run }: AppProcess): string {
  return `${pid} ${run}`
}
