import { useStore } from 'zustand'
import type { Bridge } from '../../../contract/bridge'
import { useBridge } from '../../store/context'
import { createAttachmentsStore, type AttachmentsStore, type Browsing } from './attachments-store'

/** One a window, so that what was looked at is there again when the person comes back to the view. */
const stores = new WeakMap<Bridge, AttachmentsStore>()

export function useAttachments(): { readonly store: AttachmentsStore; readonly browsing: Browsing } {
  const bridge = useBridge()
  const store = stores.get(bridge) ?? createAttachmentsStore(bridge)
  stores.set(bridge, store)
  return { store, browsing: useStore(store.state) }
}
