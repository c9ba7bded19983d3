import type { Message, MessageBus } from '@jellybrick/dbus-next'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { after } from '../../timer'
import { onBusEnd } from './bus-end'

/** A running unit of the user. */
export interface RunningUnit {
  readonly unit: string
  /** The path of its control group from the root of the hierarchy. */
  readonly controlGroup: string
  /** What systemd calls this run of it. A unit that is restarted gets another control group of the same path. */
  readonly run: string
}

/** What happens to the units that are watched. */
interface UnitListener {
  /** Returns true for the units to be told of. */
  readonly isWanted: (unit: string) => boolean
  /** Called when a unit runs, for some more than once. */
  readonly onRunning: (running: RunningUnit) => void
  /** Called when a unit has ended, for some more than once. */
  readonly onGone: (unit: string) => void
}

/** The user's own systemd. All methods throw an error without details if it doesn't answer. */
export interface UserManager {
  /** Starts a slice, which stays when nothing is left in it. */
  startSlice(slice: string): Promise<RunningUnit>
  /** Puts processes of this user into a scope of their own. */
  startScope(scope: {
    readonly unit: string
    readonly slice: string
    readonly description: string
    readonly pids: readonly number[]
  }): Promise<void>
  /** Tells of the units that run and of those that start, until the returned function is called. */
  watch(listener: UnitListener): Promise<() => void>
  /** Calls back once if it doesn't answer any more; not for `close`. */
  onLost(listener: () => void): void
  close(): void
}

const name = 'org.freedesktop.systemd1'
const root = '/org/freedesktop/systemd1'
const answerWithinMs = 5000
/** A bus permits a connection only so many questions without an answer. */
const questionsAtOnce = 100

/** Returns the address of the bus on which the user's systemd is; undefined without one. */
function userBus(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const { XDG_RUNTIME_DIR: given = '' } = env
  const folder = isAbsolute(given) ? given : `/run/user/${process.getuid?.() ?? ''}`
  const socket = join(folder, 'bus')
  // A session may have another bus beside it.
  return existsSync(socket) ? `unix:path=${socket}` : env.DBUS_SESSION_BUS_ADDRESS
}

/** Connects to the user's systemd; undefined where there is none. The library is loaded with the first call. */
export async function openUserManager(address = userBus()): Promise<UserManager | undefined> {
  if (process.platform !== 'linux' || address === undefined) return undefined
  const { Message, sessionBus } = await import('@jellybrick/dbus-next')
  let bus: MessageBus | undefined
  let manager: Manager
  try {
    bus = sessionBus({ busAddress: address })
    manager = new Manager(bus, (fields) => new Message({ destination: name, ...fields }))
  } catch {
    bus?.disconnect()
    return undefined
  }
  try {
    await manager.property(root, 'Manager', 'Version')
    return manager
  } catch {
    manager.close()
    return undefined
  }
}

type Fields = ConstructorParameters<typeof Message>[0]

class Manager implements UserManager {
  readonly #bus: MessageBus
  readonly #message: (fields: Fields) => Message
  readonly #onEnd = new Set<() => void>()
  #onLost = (): void => undefined
  #isOver = false
  #hearing: Promise<void> | undefined

  constructor(bus: MessageBus, message: (fields: Fields) => Message) {
    this.#bus = bus
    this.#message = message
    onBusEnd(bus, this.#end.bind(this))
  }

  async startSlice(slice: string): Promise<RunningUnit> {
    await this.#finished(slice, () => this.#call(root, 'Manager', 'StartUnit', 'ss', [slice, 'replace']))
    return this.#running(slice)
  }

  async startScope({
    unit,
    slice,
    description,
    pids,
  }: Parameters<UserManager['startScope']>[0]): Promise<void> {
    const { Variant } = await import('@jellybrick/dbus-next')
    const properties = [
      ['Slice', new Variant('s', slice)],
      ['Description', new Variant('s', description)],
      ['PIDs', new Variant('au', [...pids])],
      ['CollectMode', new Variant('s', 'inactive-or-failed')],
    ]
    await this.#finished(unit, () =>
      this.#call(root, 'Manager', 'StartTransientUnit', 'ssa(sv)a(sa(sv))', [unit, 'fail', properties, []]),
    )
  }

  async watch({ isWanted, onRunning, onGone }: UnitListener): Promise<() => void> {
    const look = async (unit: string): Promise<void> => {
      const running = await this.#running(unit)
      if (isOver) return
      // A unit that ended meanwhile has none; its end is told, too.
      if (running.controlGroup === '') onGone(unit)
      else onRunning(running)
    }
    let isOver = false
    const onSignal = ({ path, member, body }: Message): void => {
      if (path !== root) return
      const unit: unknown = member === 'JobRemoved' ? body[2] : body[0]
      if (typeof unit !== 'string' || !isWanted(unit)) return
      if (member === 'UnitRemoved') onGone(unit)
      // It gets its control group with its job. Without an answer, the connection is over.
      else if (member === 'UnitNew' || member === 'JobRemoved')
        look(unit).catch(() => {
          this.#end()
        })
    }
    const stop = (): void => {
      isOver = true
      this.#bus.off('message', onSignal)
    }
    this.#bus.on('message', onSignal)
    try {
      await this.#hear()
      // Those that start meanwhile are told twice rather than never.
      const [units] = await this.#call(root, 'Manager', 'ListUnitsByPatterns', 'asas', [
        ['active', 'activating', 'reloading'],
        ['*.scope', '*.service', '*.slice'],
      ])
      const names = (Array.isArray(units) ? units : []).flatMap((each: unknown) =>
        Array.isArray(each) && typeof each[0] === 'string' ? [each[0]] : [],
      )
      const wanted = names.filter(isWanted)
      for (let begun = 0; begun < wanted.length; begun += questionsAtOnce)
        await Promise.all(wanted.slice(begun, begun + questionsAtOnce).map(look))
    } catch (error) {
      stop()
      throw error
    }
    return stop
  }

  onLost(listener: () => void): void {
    this.#onLost = listener
    if (this.#isOver) listener()
  }

  close(): void {
    this.#onLost = () => undefined
    this.#onEnd.clear()
    this.#isOver = true
    this.#bus.disconnect()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const each of this.#onEnd) each()
    this.#onEnd.clear()
    this.#onLost()
  }

  async property(path: string, kind: string, property: string): Promise<unknown> {
    const { Variant } = await import('@jellybrick/dbus-next')
    const [value] = await this.#send({
      path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [`${name}.${kind}`, property],
    })
    return value instanceof Variant ? value.value : undefined
  }

  /** Returns a unit with an empty control group if it doesn't run. */
  async #running(unit: string): Promise<RunningUnit> {
    const kind = unit.endsWith('.scope') ? 'Scope' : unit.endsWith('.slice') ? 'Slice' : 'Service'
    const of = (each: string, property: string): Promise<unknown> =>
      this.property(`${root}/unit/${pathOf(unit)}`, each, property).catch((error: unknown) => {
        if (this.#isOver || error instanceof NoAnswer) throw error
        // It is gone.
        return undefined
      })
    const [group, run] = await Promise.all([of(kind, 'ControlGroup'), of('Unit', 'InvocationID')])
    return {
      unit,
      // It becomes a line for the helper.
      controlGroup: typeof group === 'string' && /^\/[!-~]+$/.test(group) ? group : '',
      run: Buffer.isBuffer(run) ? run.toString('hex') : '',
    }
  }

  /** Asks systemd for its signals, which it sends to nobody who doesn't, and refuses to be asked again. */
  #hear(): Promise<void> {
    this.#hearing ??= this.#subscribe()
    return this.#hearing
  }

  async #subscribe(): Promise<void> {
    await this.#send({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'AddMatch',
      signature: 's',
      body: [`type='signal',sender='${name}',interface='${name}.Manager',path='${root}'`],
    })
    await this.#call(root, 'Manager', 'Subscribe')
  }

  /** Starts a job for a unit, and waits for its end. Throws if it failed. */
  async #finished(unit: string, start: () => Promise<unknown[]>): Promise<void> {
    await this.#hear()
    const ended = new Map<unknown, unknown>()
    let tell = (): void => undefined
    const onSignal = ({ path, member, body }: Message): void => {
      if (path !== root || member !== 'JobRemoved' || body[2] !== unit) return
      ended.set(body[1], body[3])
      tell()
    }
    this.#bus.on('message', onSignal)
    try {
      const [job] = await start()
      const result = await this.#within(
        new Promise<unknown>((resolve) => {
          tell = () => {
            if (ended.has(job)) resolve(ended.get(job))
          }
          tell()
        }),
      )
      if (result !== 'done') throw new Error('systemd could not start a unit of the user.')
    } finally {
      this.#bus.off('message', onSignal)
    }
  }

  #call(
    path: string,
    kind: string,
    member: string,
    signature = '',
    body: unknown[] = [],
  ): Promise<unknown[]> {
    return this.#send({ path, interface: `${name}.${kind}`, member, signature, body })
  }

  async #send(fields: Fields): Promise<unknown[]> {
    if (this.#isOver) throw new NoAnswer()
    // Without starting it.
    const answer = await this.#within(this.#bus.call(this.#message({ flags: 2, ...fields })))
    return answer?.body ?? []
  }

  async #within<T>(work: Promise<T>): Promise<T> {
    let give: () => void = () => undefined
    const late = new Promise<never>((_, reject) => {
      const fail = (): void => {
        reject(new NoAnswer())
      }
      const stop = after(answerWithinMs, fail)
      this.#onEnd.add(fail)
      give = () => {
        stop()
        this.#onEnd.delete(fail)
      }
    })
    try {
      return await Promise.race([work, late])
    } finally {
      give()
    }
  }
}

class NoAnswer extends Error {
  constructor() {
    super("The user's systemd gives no answer.")
  }
}

/** Returns a name as an element of a path on the bus. */
function pathOf(unit: string): string {
  return [...Buffer.from(unit)]
    .map((byte, index) => {
      const character = String.fromCharCode(byte)
      const isPlain = /[A-Za-z]/.test(character) || (/\d/.test(character) && index > 0)
      return isPlain ? character : `_${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
}

/** Returns a text as a part of a unit's name, as systemd-escape does. */
export function unitPart(text: string): string {
  return [...Buffer.from(text)]
    .map((byte, index) => {
      const character = String.fromCharCode(byte)
      const isPlain = /[A-Za-z\d:_]/.test(character) || (character === '.' && index > 0)
      return isPlain ? character : `\\x${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
    .slice(0, 120)
    .replace(/\\(?:x.?)?$/, '')
}
