import type { UncheckedBridge } from '../contract/state'

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly causeway: UncheckedBridge
  }
}
