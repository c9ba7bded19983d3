import { useSyncExternalStore } from 'react'

export const views = ['connection', 'messages', 'attachments', 'news', 'organization', 'settings'] as const
export type View = (typeof views)[number]

/** The view that the address names after its `#`; the connection where it names none. */
export function useView(): View {
  return useSyncExternalStore(subscribe, currentView)
}

function currentView(): View {
  const name = window.location.hash.slice(1)
  return views.find((view) => view === name) ?? 'connection'
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => {
    window.removeEventListener('hashchange', listener)
  }
}
