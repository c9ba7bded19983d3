import { useStore } from 'zustand'
import type { Bridge } from '../../../contract/bridge'
import { useBridge } from '../../store/context'
import { createOrganizationStore, type Browsing, type OrganizationStore } from './organization-store'

/** One a window, so that what was looked at is there again when the person comes back to the view. */
const stores = new WeakMap<Bridge, OrganizationStore>()

export function useOrganization(): { readonly store: OrganizationStore; readonly browsing: Browsing } {
  const bridge = useBridge()
  const store = stores.get(bridge) ?? createOrganizationStore(bridge)
  stores.set(bridge, store)
  return { store, browsing: useStore(store.state) }
}
