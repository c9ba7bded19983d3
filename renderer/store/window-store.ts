import type { Bridge } from '../../contract/bridge'
import { useBridge } from './context'

type Forget = (instanceId: string) => void

/** Functions that drop a service's data, by window. */
const forgets = new WeakMap<Bridge, Forget[]>()

/**
 * Returns a hook for a store that is created once per window, so that it keeps its state while the user visits other views.
 * `forget` drops what belongs to the person who was signed in to a service.
 */
export function windowStore<Store>(
  create: (bridge: Bridge) => Store,
  forget?: (store: Store, instanceId: string) => void,
): () => Store {
  const stores = new WeakMap<Bridge, Store>()
  return () => {
    const bridge = useBridge()
    const known = stores.get(bridge)
    if (known !== undefined) return known
    const store = create(bridge)
    stores.set(bridge, store)
    if (forget !== undefined)
      forgets.set(bridge, [
        ...(forgets.get(bridge) ?? []),
        (instanceId) => {
          forget(store, instanceId)
        },
      ])
    return store
  }
}

/** Returns a function that drops the data of a service from all stores of the window. */
export function useForget(): Forget {
  const bridge = useBridge()
  return (instanceId) => {
    for (const forget of forgets.get(bridge) ?? []) forget(instanceId)
  }
}
