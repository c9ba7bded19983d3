import { useSyncExternalStore } from 'react'
import { type View, views } from '../../contract/views'

/** Returns the view that the address names after its `#`, or the connection. */
export function useView(): View {
  return useSyncExternalStore(subscribe, currentView)
}

/** Opens a view, as a link to it does. */
export function showView(view: View): void {
  window.location.hash = view
}

/** Returns the page of the view that the address names after a slash, or an empty text. */
export function usePage(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.split('/')[1] ?? '')
}

/** Returns the part of the page that the address names after a second slash, or an empty text. */
export function usePart(): string {
  return useSyncExternalStore(subscribe, () => {
    try {
      return decodeURIComponent(window.location.hash.split('/')[2] ?? '')
    } catch {
      return ''
    }
  })
}

/** Opens a page of a view, and a part of it. */
export function showPage(view: View, page: string, part?: string): void {
  window.location.hash = pageAddress(view, page, part)
}

/** Returns the address of a page of a view, for a link. */
export function pageAddress(view: View, page: string, part?: string): string {
  return `#${[view, page, ...(part === undefined ? [] : [encodeURIComponent(part)])].join('/')}`
}

function currentView(): View {
  const [named] = window.location.hash.slice(1).split('/')
  return views.find((view) => view === named) ?? 'connection'
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => {
    window.removeEventListener('hashchange', listener)
  }
}
