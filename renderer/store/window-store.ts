import type { Bridge } from '../../contract/bridge'
import { useBridge } from './context'

/** Returns a hook for a store that is created once per window, so that it keeps its state while the user visits other views. */
export function windowStore<Store>(create: (bridge: Bridge) => Store): () => Store {
  const stores = new WeakMap<Bridge, Store>()
  return () => {
    const bridge = useBridge()
    const store = stores.get(bridge) ?? create(bridge)
    stores.set(bridge, store)
    return store
  }
}
