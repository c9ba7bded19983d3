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

/** The events of the system, whose source is loaded when it's watched. There are none on other systems than these. */
export function systemNetworkEvents(platform: NodeJS.Platform): NetworkEvents {
  return createNetworkEvents(async (listener, signal) => {
    const source = await load(platform)
    if (signal.aborted) return
    signal.addEventListener('abort', source.watch(listener))
  })
}

async function load(platform: NodeJS.Platform): Promise<NetworkEvents> {
  if (platform === 'linux') return (await import('./linux-network-events')).linuxNetworkEvents()
  if (platform === 'darwin') return (await import('./macos-network-events')).macosNetworkEvents()
  if (platform === 'win32') return (await import('./windows-network-events')).windowsNetworkEvents()
  return joinNetworkEvents([])
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
