import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionState, DisconnectedBy } from '../../../contract/connection'
import { isTo } from '../../../contract/connection-summary'
import { CausewayError } from '../../errors'
import { withFileLock } from '../../platform/storage/file-lock'
import { whileAnswering } from '../../platform/storage/while-answering'
import { listenForClients, type TunnelListener } from './tunnel-listener'
import type { HolderKind, TunnelHolder } from './tunnel-messages'
import { tunnelPlace, type TunnelPlace } from './tunnel-place'
import { type OtherTunnel, otherTunnels } from './other-tunnels'
import { askHolder, connectToHolder, type TunnelUse } from './holder-client'

export interface TunnelLockOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly kind: HolderKind
  readonly now: () => Date
  /** Default: the place for this system. */
  readonly place?: TunnelPlace
}

/** The connection that takes the tunnel. */
export interface TunnelOwner {
  readonly state: ConnectionState
  /** Subscribes to changes of state; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  /** Called when another process asks for it. */
  disconnect(by?: DisconnectedBy): Promise<void>
  /** Called when another process asks for a new start of the tunnel. */
  reconnect(): void
}

/** A tunnel gets 5 s to end. */
const disconnectWithinMs = 12_000
/** The interval of checks where the system doesn't report changes. */
const checkEveryMs = 1000
/** The delay before a new socket is checked: the file exists a moment before the process listens. */
const checkWhenMadeMs = 50
const checksWhenMade = 10

/**
 * Limits the processes that share a data directory (window and terminal command) to one tunnel. The holder listens on
 * `tunnel.sock` there (on Windows on a named pipe, which `tunnel.json` names), for its user only. It answers with its
 * identity and state, and accepts requests to disconnect. The system closes the socket when the process dies.
 */
export class TunnelLock {
  readonly #options: TunnelLockOptions
  readonly #place: TunnelPlace

  constructor(options: TunnelLockOptions) {
    this.#options = options
    this.#place = options.place ?? tunnelPlace(options.dataDir)
  }

  /**
   * Takes the tunnel for a connection of this process, which answers for it from now on; returns a function that releases it. Throws `connection/held-by-other` (`details`:
   * `kind`, `pid`, `instance`, `profileId`, `state`, `since`, if known), `data/unwritable`, `data/busy`.
   */
  async claim(owner: TunnelOwner): Promise<() => Promise<void>> {
    const { dataDir, kind, now } = this.#options
    await this.#requireAnswer()
    this.#place.check()
    const since = now().getTime()
    const current = () => ({ pid: process.pid, kind, since, home: homedir(), connection: owner.state })
    return this.withoutClaims(async () => {
      const present = await this.use()
      if (present.use !== 'free') throw heldByOther(present)
      const listener = await this.#listen(owner, current).catch((cause: unknown) => {
        throw cannotListen(dataDir, cause)
      })
      const stopTelling = owner.onChange(() => {
        listener.tell(current())
      })
      return async () => {
        stopTelling()
        const end = async (): Promise<void> => {
          this.#place.withdraw()
          await listener.close()
        }
        // The system removes the socket while this thread waits. On a disk that hangs, it stays until the disk answers or the process ends.
        const answer = stat(dataDir).catch(() => undefined)
        const isAnswered = await whileAnswering(join(dataDir, 'tunnel.sock'), () => answer).then(
          () => true,
          () => false,
        )
        if (isAnswered) await end()
        else void answer.then(end)
      }
    })
  }

  /**
   * Runs the work while no process can take the tunnel. A process that has it keeps it. Throws `data/unwritable`,
   * `data/busy`, and the errors of the work.
   */
  withoutClaims<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(join(this.#options.dataDir, 'tunnel'), work)
  }

  async #listen(owner: TunnelOwner, current: () => TunnelHolder): Promise<TunnelListener> {
    const address = this.#place.create()
    const listener = await listenForClients(address, {
      current,
      onRequest: (request) => {
        if (request.ask === 'reconnect') owner.reconnect()
        else void owner.disconnect(request.by)
      },
    })
    try {
      this.#place.publish(address)
    } catch (error) {
      await listener.close()
      throw error
    }
    return listener
  }

  /** Waits for the data directory: the system finds the socket in it while this thread waits. */
  #requireAnswer(): Promise<unknown> {
    const { dataDir } = this.#options
    return whileAnswering(join(dataDir, 'tunnel.sock'), () => stat(dataDir).catch(() => undefined))
  }

  /** Whose processes share this tunnel. Absolute. */
  get dataDir(): string {
    return this.#options.dataDir
  }

  /** Returns the tunnels of other data directories. */
  others(): Promise<OtherTunnel[]> {
    return otherTunnels(this.#options.dataDir)
  }

  /** Returns the current holder, which may be this process. Throws `data/not-responding`. */
  async use(): Promise<TunnelUse> {
    await this.#requireAnswer()
    return askHolder(this.#place.find())
  }

  /**
   * Takes the tunnel like `claim`, unless a process has it to another instance. Throws `connection/held-by-other` if any
   * process has it to this instance, or doesn't say to which, and what `claim` throws.
   */
  async claimBeside(instanceId: string, owner: TunnelOwner): Promise<() => Promise<void>> {
    const present = await this.use()
    if (present.use === 'free') return this.claim(owner)
    if (present.use === 'silent' || !isToOther(present.holder, instanceId)) throw heldByOther(present)
    return () => Promise.resolve()
  }

  /**
   * Throws `connection/in-use` if any process, also this one, has the tunnel to this instance, and
   * `connection/held-by-other` if one has it that doesn't answer.
   */
  async requireNoneTo(instanceId: string): Promise<void> {
    const present = await this.use()
    if (present.use === 'silent') throw heldByOther(present)
    if (present.use === 'held' && !isToOther(present.holder, instanceId))
      throw new CausewayError('connection/in-use', { details: { instance: instanceId } })
  }

  /**
   * Asks the other process that holds the tunnel, if any, to disconnect, and waits until it has. Throws
   * `connection/held-by-other` if it doesn't within `withinMs`, by default 12 s. `takesOver`: this process will connect instead,
   * which the other one can show.
   */
  async askToDisconnect({
    takesOver = false,
    withinMs = disconnectWithinMs,
  }: { readonly takesOver?: boolean; readonly withinMs?: number } = {}): Promise<void> {
    const giveUpAt = performance.now() + withinMs
    const client = connectToHolder(this.#place.find(), { onHolder: () => undefined, onEnd: () => undefined })
    client.askToDisconnect({ kind: this.#options.kind, pid: process.pid, takesOver })
    try {
      for (;;) {
        const present = await this.use()
        if (present.use === 'free') return
        if (performance.now() > giveUpAt) throw heldByOther(present)
        await delay(100)
      }
    } finally {
      client.end()
    }
  }

  /**
   * Asks the process that holds the tunnel to start it again; resolves when it is up again.
   * Throws `connection/not-connected` if there is none or it ends, `connection/held-by-other` if its process doesn't answer,
   * and `http/cancelled`.
   */
  async askToReconnect(signal: AbortSignal): Promise<TunnelHolder> {
    const present = await this.use()
    if (present.use === 'free') throw new CausewayError('connection/not-connected')
    if (present.use === 'silent') throw heldByOther(present)
    if (signal.aborted) throw new CausewayError('http/cancelled')
    const again = await this.#connectedAgain(signal)
    if (again !== undefined) return again
    const after = await this.use()
    if (after.use === 'held' && after.holder.pid === present.holder.pid) throw heldByOther(after)
    throw new CausewayError('connection/not-connected')
  }

  /** Asks the holder to start its tunnel again; resolves when it is up, with undefined if the holder ends the conversation. */
  #connectedAgain(signal: AbortSignal): Promise<TunnelHolder | undefined> {
    return new Promise((resolve, reject) => {
      let before: number | undefined
      const settle = (act: () => void): void => {
        signal.removeEventListener('abort', abort)
        client.end()
        act()
      }
      const abort = (): void => {
        settle(() => {
          reject(new CausewayError('http/cancelled'))
        })
      }
      const client = connectToHolder(this.#place.find(), {
        onHolder: (holder) => {
          const { connection } = holder
          const since = connection.state === 'connected' ? connection.since : 0
          before ??= since
          if (since !== 0 && since !== before)
            settle(() => {
              resolve(holder)
            })
        },
        onEnd: () => {
          settle(() => {
            resolve(undefined)
          })
        },
      })
      client.askToReconnect()
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * Subscribes to changes of another process's tunnel; calls back with undefined when no other process holds it any more,
   * with `reportsAbsence` also if none does at first. Returns a function that unsubscribes.
   */
  watch(
    onChange: (holder: TunnelHolder | undefined) => void,
    { reportsAbsence = false }: { readonly reportsAbsence?: boolean } = {},
  ): () => void {
    let connected = false
    let endClient = (): void => undefined
    let timer: NodeJS.Timeout | undefined
    let hasReported = false
    let mayReportAbsence = reportsAbsence
    let checksLeft = 0
    const stopWatching = this.#place.watch(() => {
      checksLeft = checksWhenMade
      clearTimeout(timer)
      timer = setTimeout(check, checkWhenMadeMs)
    })
    const check = (): void => {
      if (connected) return
      connected = true
      const client = connectToHolder(this.#place.find(), {
        onHolder: (holder) => {
          if (holder.pid === process.pid) return
          hasReported = true
          onChange(holder)
        },
        onEnd: (how) => {
          connected = false
          if (hasReported || (mayReportAbsence && how === 'nobody')) {
            mayReportAbsence = false
            onChange(undefined)
          }
          hasReported = false
          checksLeft -= 1
          if (stopWatching === undefined) timer = setTimeout(check, checkEveryMs)
          else if (checksLeft > 0) timer = setTimeout(check, checkWhenMadeMs)
        },
      })
      endClient = () => {
        client.end()
      }
    }
    check()
    return () => {
      clearTimeout(timer)
      stopWatching?.()
      endClient()
    }
  }
}

function isToOther({ connection }: TunnelHolder, instanceId: string): boolean {
  return 'target' in connection && !isTo(connection, instanceId)
}

function cannotListen(dataDir: string, cause: unknown): CausewayError {
  const reason = cause instanceof Error && 'code' in cause ? cause.code : 'unknown'
  return new CausewayError('data/unwritable', {
    variant: 'cannot-listen',
    details: { path: dataDir, reason },
    cause,
  })
}

function heldByOther(present: Exclude<TunnelUse, { use: 'free' }>): CausewayError {
  if (present.use === 'silent') {
    return new CausewayError('connection/held-by-other', { variant: 'not-responding' })
  }
  const { kind, pid, since, connection } = present.holder
  const target = 'target' in connection ? connection.target : undefined
  return new CausewayError('connection/held-by-other', {
    variant: target === undefined ? undefined : 'connected-to',
    details: {
      kind,
      pid,
      state: connection.state,
      since: new Date(since).toISOString(),
      ...(target === undefined ? {} : { instance: target.instanceId, profileId: target.profileId }),
    },
  })
}
