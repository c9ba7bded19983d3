import type { UncheckedBridge } from '../contract/bridge'

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly causeway: UncheckedBridge
  }
}
