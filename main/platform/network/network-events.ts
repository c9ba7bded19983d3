/**
 * An event of the network below a tunnel. `down`: no default route. `up`: a default route again. `changed`: another default
 * route. `resumed`: the computer was asleep, and the servers may have dropped its session. `routes`: any route may have
 * changed, also one of a tunnel; sent first for the time before the source was ready.
 */
export type NetworkEvent = 'down' | 'up' | 'changed' | 'resumed' | 'routes'

/** A source of network events. */
export interface NetworkEvents {
  /** Calls back from now on; returns a function that stops it and leaves nothing running. */
  watch(listener: (event: NetworkEvent) => void): () => void
}

/** Creates a source from a function that reports events until its signal aborts. */
export function createNetworkEvents(
  follow: (listener: (event: NetworkEvent) => void, signal: AbortSignal) => Promise<void>,
): NetworkEvents {
  return {
    watch: (listener) => {
      const stop = new AbortController()
      void follow(listener, stop.signal)
      return () => {
        stop.abort()
      }
    },
  }
}

/** Combines the events of several sources. */
export function joinNetworkEvents(sources: readonly NetworkEvents[]): NetworkEvents {
  return {
    watch: (listener) => {
      const stops = sources.map((source) => source.watch(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
