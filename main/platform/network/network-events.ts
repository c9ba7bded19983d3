/**
 * What happens to the network below a tunnel. `down`: no way out is left. `up`: there is one again. `changed`: it is
 * another one than before. `resumed`: the computer was asleep, and the servers may have forgotten it.
 */
export type NetworkEvent = 'down' | 'up' | 'changed' | 'resumed'

/** Somebody who knows of such events. */
export interface NetworkEvents {
  /** Calls back from now on; returns how to stop it, which leaves nothing running. */
  watch(listener: (event: NetworkEvent) => void): () => void
}

/** The events of several sources. */
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
