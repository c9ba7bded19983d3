import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../contract/bridge'
import type { ErrorReport } from '../../contract/error-codes'
import type { AppState } from '../../contract/state'
import { unexpectedError } from './bridge'

/** Main's state as known here; `ready` once the whole state has arrived. */
type Mirror =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly state: AppState }
  | { readonly status: 'failed'; readonly error: ErrorReport }

export type AppStore = StoreApi<Mirror>

/** Mirrors main's state until `stop` is called. */
export function mirrorState(bridge: Bridge): { readonly store: AppStore; readonly stop: () => void } {
  const store = createStore<Mirror>(() => ({ status: 'loading' }))
  const stop = bridge.onStateChanged((changed) => {
    const mirror = store.getState()
    // Changes before the whole state arrives are part of it.
    if (mirror.status === 'ready') store.setState({ status: 'ready', state: { ...mirror.state, ...changed } })
  })
  bridge.state().then(
    (state) => {
      store.setState({ status: 'ready', state })
    },
    (error: unknown) => {
      store.setState({ status: 'failed', error: unexpectedError(error) })
    },
  )
  return { store, stop }
}
