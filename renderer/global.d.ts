import type { UncheckedBridge } from '../contract/bridge'

declare global {
  interface Window {
    /** Set by the preload script. */
    readonly causeway: UncheckedBridge
  }
}
