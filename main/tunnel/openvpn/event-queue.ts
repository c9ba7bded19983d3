interface EventQueue<Event> {
  readonly add: (event: Event) => void
  /** Resolves when all added events are handled. */
  readonly empty: () => Promise<void>
}

/**
 * Creates a queue that handles events in order, one at a time. An event that arrives while the queue is idle is handled at
 * once, in the same tick, so that a synchronous handler stays in order with events outside the queue.
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
