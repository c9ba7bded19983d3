import { useSyncExternalStore } from 'react'
import { view as viewSchema, type View } from '../../contract/views'

/** Returns the view that the address names after its `#`, or the connection. */
export function useView(): View {
  return useSyncExternalStore(subscribe, currentView)
}

/** Opens a view, as a link to it does. */
export function showView(view: View): void {
  window.location.hash = view
}

function currentView(): View {
  return viewSchema.safeParse(window.location.hash.slice(1)).data ?? 'connection'
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => {
    window.removeEventListener('hashchange', listener)
  }
}
