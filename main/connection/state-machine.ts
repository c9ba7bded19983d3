import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState } from '../../contract/connection'
import { Emitter } from '../emitter'
import { authorizing } from './states/authorizing'
import { connected } from './states/connected'
import { connecting } from './states/connecting'
import { disconnected } from './states/disconnected'
import { disconnecting } from './states/disconnecting'
import { discovering } from './states/discovering'
import { failed } from './states/failed'
import { idle } from './states/idle'
import { preparing } from './states/preparing'
import { reconnecting } from './states/reconnecting'
import type { ConnectionEvent, StateName, Transition, Transitions } from './transitions'

/** The transitions of a connection: state × event. The diagram in docs/architecture.md is made from it. */
export const table: { readonly [Name in StateName]: Transitions<Name> } = {
  idle,
  discovering,
  authorizing,
  preparing,
  connecting,
  connected,
  reconnecting,
  disconnecting,
  disconnected,
  failed,
}

/** Returns the transition for an event; undefined for one that can't happen in this state. */
export function transitionOf(
  state: StateName,
  event: ConnectionEvent['event'],
): Transition<never, never> | undefined {
  return table[state][event]
}

/** The state of a connection, changed by events alone. */
export class StateMachine {
  #state: ConnectionState = { state: 'idle' }
  readonly #changes: Emitter<ConnectionState>
  readonly #onDefect: (error: unknown) => void

  /** @param onDefect called with errors of listeners, and for an event that can't happen in a state */
  constructor(onDefect: (error: unknown) => void) {
    this.#onDefect = onDefect
    this.#changes = new Emitter(onDefect)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Subscribes to changes of state; returns a function that unsubscribes. */
  onChange(listener: (state: ConnectionState) => void): () => void {
    return this.#changes.on(listener)
  }

  /** Changes the state as the table says. Returns the state afterwards, which listeners may have changed again. */
  send(event: ConnectionEvent): ConnectionState {
    const before = this.#state
    const transition = transitionOf(before.state, event.event)
    if (transition === undefined)
      this.#onDefect(new Error(`A connection cannot get "${event.event}" while it is ${before.state}.`))
    else if ('next' in transition) {
      // The table pairs the types of states and events, which is lost when it is read by name.
      const next = transition.next(before as never, event as never)
      if (!isDeepStrictEqual(next, before)) {
        this.#state = next
        this.#changes.emit(next)
      }
    }
    return this.#state
  }
}

/** Returns the diagram of the states, in Mermaid's language. */
export function diagram(): string {
  const names = Object.keys(table) as StateName[]
  const arrows = names.flatMap((from) => {
    const events = Object.keys(table[from]) as ConnectionEvent['event'][]
    return names.flatMap((to) => {
      const leading = events.filter((event) => {
        const transition = transitionOf(from, event)
        return from !== to && transition !== undefined && 'to' in transition && transition.to.includes(to)
      })
      return leading.length === 0 ? [] : [`  ${from} --> ${to}: ${leading.join(', ')}`]
    })
  })
  return ['stateDiagram-v2', '  [*] --> idle', ...arrows].join('\n')
}
