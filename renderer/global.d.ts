import type { UncheckedBridge } from '../preload/contract'

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly causeway: UncheckedBridge
  }
}
