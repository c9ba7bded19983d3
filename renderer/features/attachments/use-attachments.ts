import { useStore } from 'zustand'
import { windowStore } from '../../store/window-store'
import { AttachmentsStore, type Browsing } from './attachments-store'

const useAttachmentsStore = windowStore((bridge) => new AttachmentsStore(bridge))

export function useAttachments(): { readonly store: AttachmentsStore; readonly browsing: Browsing } {
  const store = useAttachmentsStore()
  return { store, browsing: useStore(store.state) }
}
