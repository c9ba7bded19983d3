import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionState, DisconnectedBy } from '../../../contract/connection'
import { CausewayError } from '../../errors'
import { printable } from '../../platform/http/printable'
import { withFileLock } from '../../platform/storage/file-lock'
import { listenForVisitors, type TunnelListener } from './tunnel-listener'
import type { HolderKind, TunnelHolder } from './tunnel-messages'
import { tunnelPlace, type TunnelPlace } from './tunnel-place'
import { visitHolder } from './visit-holder'

export interface TunnelLockOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly kind: HolderKind
  readonly now: () => Date
  /** The connection of this process. */
  readonly connection: () => ConnectionState
  /** Another process asks for the end of this one's tunnel. */
  readonly onAskedToDisconnect: (by: DisconnectedBy | undefined) => void
  /** Default: that of this system. */
  readonly place?: TunnelPlace
}

/** Whether somebody has the tunnel: `silent` is one who does not say who it is, as a process that is stopped. */
export type TunnelUse =
  | { readonly use: 'free' }
  | { readonly use: 'held'; readonly holder: TunnelHolder }
  | { readonly use: 'silent' }

const answerWithinMs = 2000
/** OpenVPN is made to end after 5 s. */
const disconnectWithinMs = 12_000
/** Where the system does not tell when somebody takes the tunnel. */
const lookEveryMs = 1000
/** A socket is there a moment before anyone listens at it. */
const lookWhenMadeMs = 50
const looksWhenMade = 10

/**
 * One tunnel for all processes that share a data directory (window and terminal command). Who has it listens on
 * `tunnel.sock` there (on Windows on a named pipe, which `tunnel.json` names), for its owner alone, which the system ends
 * with the process however that dies; there it says who it is, how far it is, and may be asked to disconnect.
 */
export class TunnelLock {
  readonly #options: TunnelLockOptions
  readonly #place: TunnelPlace
  #tell: (() => void) | undefined

  constructor(options: TunnelLockOptions) {
    this.#options = options
    this.#place = options.place ?? tunnelPlace(options.dataDir)
  }

  /**
   * Takes the tunnel for this process; what comes out gives it back. Throws `connection/held-by-other` (`details` say
   * `kind`, `pid`, `instance`, `profileId`, `state`, `since`, where known), `data/unwritable`, `data/busy`.
   */
  async claim(): Promise<() => Promise<void>> {
    const { dataDir, kind, now, connection } = this.#options
    this.#place.check()
    const since = now().getTime()
    const current = () => ({ pid: process.pid, kind, since, connection: connection() })
    return withFileLock(join(dataDir, 'tunnel'), async () => {
      const present = await this.use()
      if (present.use !== 'free') throw heldByOther(present)
      const listener = await this.#listen(current).catch((cause: unknown) => {
        throw cannotListen(dataDir, cause)
      })
      this.#tell = () => {
        listener.tell(current())
      }
      return async () => {
        this.#tell = undefined
        this.#place.withdraw()
        await listener.close()
      }
    })
  }

  async #listen(current: () => TunnelHolder): Promise<TunnelListener> {
    const address = this.#place.create()
    const listener = await listenForVisitors(address, {
      current,
      onDisconnect: this.#options.onAskedToDisconnect,
    })
    try {
      this.#place.publish(address)
    } catch (error) {
      await listener.close()
      throw error
    }
    return listener
  }

  /** Tells those who watch that the connection of this process has changed. */
  changed(): void {
    this.#tell?.()
  }

  /** Who has the tunnel now, this process included. */
  use(): Promise<TunnelUse> {
    return new Promise((resolve) => {
      const settle = (use: TunnelUse): void => {
        clearTimeout(timer)
        visit.end()
        resolve(use)
      }
      const visit = visitHolder(this.#place.find(), {
        onHolder: (holder) => {
          settle({ use: 'held', holder })
        },
        onEnd: (how) => {
          settle({ use: how === 'nobody' ? 'free' : 'silent' })
        },
      })
      const timer = setTimeout(() => {
        settle({ use: 'silent' })
      }, answerWithinMs)
    })
  }

  /**
   * Asks the other process that has the tunnel, if any, to disconnect, and waits until it has given it back. Throws
   * `connection/held-by-other` when it does not. `takesOver`: to have a tunnel here instead, which the other one can tell.
   */
  async askToDisconnect({ takesOver = false }: { readonly takesOver?: boolean } = {}): Promise<void> {
    const giveUpAt = performance.now() + disconnectWithinMs
    const visit = visitHolder(this.#place.find(), { onHolder: () => undefined, onEnd: () => undefined })
    visit.askToDisconnect({ kind: this.#options.kind, pid: process.pid, takesOver })
    try {
      for (;;) {
        const present = await this.use()
        if (present.use === 'free') return
        if (performance.now() > giveUpAt) throw heldByOther(present)
        await delay(100)
      }
    } finally {
      visit.end()
    }
  }

  /**
   * Follows who else has the tunnel: calls back with each change, and with undefined when nobody else has it any more.
   * Returns how to stop it.
   */
  watch(onChange: (holder: TunnelHolder | undefined) => void): () => void {
    let stopped = false
    let visiting = false
    let endVisit = (): void => undefined
    let timer: NodeJS.Timeout | undefined
    let told = false
    let looksLeft = 0
    const stopWatching = this.#place.watch(() => {
      looksLeft = looksWhenMade
      clearTimeout(timer)
      timer = setTimeout(look, lookWhenMadeMs)
    })
    const look = (): void => {
      if (stopped || visiting) return
      visiting = true
      const visit = visitHolder(this.#place.find(), {
        onHolder: (holder) => {
          if (holder.pid === process.pid) return
          told = true
          onChange(holder)
        },
        onEnd: () => {
          visiting = false
          if (told) onChange(undefined)
          told = false
          looksLeft -= 1
          if (stopWatching === undefined) timer = setTimeout(look, lookEveryMs)
          else if (looksLeft > 0) timer = setTimeout(look, lookWhenMadeMs)
        },
      })
      endVisit = () => {
        visit.end()
      }
    }
    look()
    return () => {
      stopped = true
      clearTimeout(timer)
      stopWatching?.()
      endVisit()
    }
  }
}

function cannotListen(dataDir: string, cause: unknown): CausewayError {
  const reason = cause instanceof Error && 'code' in cause ? cause.code : 'unknown'
  return new CausewayError(
    'data/unwritable',
    `Causeway couldn't listen for its other processes in ${dataDir}. Check that there's enough disk space and that you have permission to write there.`,
    { details: { path: dataDir, reason }, cause },
  )
}

function heldByOther(present: Exclude<TunnelUse, { use: 'free' }>): CausewayError {
  if (present.use === 'silent') {
    return new CausewayError(
      'connection/held-by-other',
      "Another of your Causeway processes is connected, but it isn't responding. Quit it, then connect again.",
    )
  }
  const { kind, pid, since, connection } = present.holder
  const target = 'target' in connection ? connection.target : undefined
  const where =
    target === undefined ? '' : ` to ${printable(target.profileId)} at ${printable(target.instanceId)}`
  const who = kind === 'window' ? "Causeway's window" : 'The terminal command'
  return new CausewayError(
    'connection/held-by-other',
    `${who} (process ${pid}) is already connected${where}. Disconnect there first, or take over with: causeway connect --take-over.`,
    {
      details: {
        kind,
        pid,
        state: connection.state,
        since: new Date(since).toISOString(),
        ...(target === undefined ? {} : { instance: target.instanceId, profileId: target.profileId }),
      },
    },
  )
}
