import type { ConnectionState } from '../../../contract/connection'
import { TunnelLock, type TunnelOwner } from './tunnel-lock'
import type { TunnelPlace } from './tunnel-place'

/** A lock with a connection that claims the tunnel. `tell` reports a change of its state. */
class OwnLock extends TunnelLock {
  readonly asked: unknown[] = []
  state: ConnectionState = { state: 'idle' }
  readonly #listeners = new Set<() => void>()

  get owner(): TunnelOwner {
    const current = () => this.state
    return {
      get state() {
        return current()
      },
      onChange: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      disconnect: (by) => Promise.resolve(void this.asked.push(by)),
      reconnect: () => this.asked.push('reconnect'),
    }
  }

  override claim(): Promise<() => Promise<void>> {
    return super.claim(this.owner)
  }

  tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Returns a lock of a process of its own, and what its connection was asked for. */
export function openLock(dataDir: string, place?: TunnelPlace): { lock: OwnLock; asked: unknown[] } {
  const lock = new OwnLock({
    dataDir,
    kind: 'terminal',
    now: () => new Date('2026-11-20T18:29:34Z'),
    place,
  })
  return { lock, asked: lock.asked }
}
