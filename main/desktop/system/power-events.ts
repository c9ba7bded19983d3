import type { NetworkEvents } from '../../platform/network/network-events'

/** The subset of Electron's powerMonitor that is used. */
export interface PowerMonitor {
  on(event: 'resume', listener: () => void): unknown
  off(event: 'resume', listener: () => void): unknown
}

/** Returns wake-ups of the computer as network events, because servers may have dropped the client meanwhile. */
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
