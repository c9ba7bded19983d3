import type { NetworkEvents } from '../platform/network/network-events'

/** The part of Electron's powerMonitor that is used. */
export interface PowerMonitor {
  on(event: 'resume', listener: () => void): unknown
  off(event: 'resume', listener: () => void): unknown
}

/** The computer's waking up, as an event of the network: servers may have forgotten it meanwhile. */
export function powerEvents(monitor: PowerMonitor): NetworkEvents {
  return {
    watch: (listener) => {
      const resumed = (): void => {
        listener('resumed')
      }
      monitor.on('resume', resumed)
      return () => {
        monitor.off('resume', resumed)
      }
    },
  }
}
