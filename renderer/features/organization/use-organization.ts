import { useStore } from 'zustand'
import { windowStore } from '../../store/window-store'
import { OrganizationStore, type Browsing } from './organization-store'

const useOrganizationStore = windowStore((bridge) => new OrganizationStore(bridge))

export function useOrganization(): { readonly store: OrganizationStore; readonly browsing: Browsing } {
  const store = useOrganizationStore()
  return { store, browsing: useStore(store.state) }
}
