export interface EventQueue<Event> {
  readonly add: (event: Event) => void
  /** Resolves when everything that was added is handled. */
  readonly empty: () => Promise<void>
}

/**
 * Handles events one after the other, in their order. An event that comes while none is being handled is begun at once,
 * in the same tick, so that a handler that need not wait keeps step with what comes beside the queue.
 *
 * @param handle never rejects
 */
export function createEventQueue<Event>(handle: (event: Event) => Promise<void>): EventQueue<Event> {
  const waiting: Event[] = []
  let working: Promise<void> | undefined
  const work = async () => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) await handle(event)
    working = undefined
  }
  return {
    add: (event) => {
      waiting.push(event)
      working ??= work()
    },
    empty: async () => {
      await working
    },
  }
}
