import { createContext, use, useEffect } from 'react'
import { useStore } from 'zustand'
import { useBridge } from '../../store/context'
import { newsStore, type NewsState, type NewsStore } from './news-store'

/** The instance whose news are shown. */
export const NewsInstance = createContext('')

export function useNewsInstance(): string {
  return use(NewsInstance)
}

export function useNewsStore(): NewsStore {
  return newsStore(useBridge())
}

export function useNewsState(): NewsState {
  return useStore(useNewsStore().state)
}

/** Has something fetched when it is looked at. */
export function useOpened(what: { open(): Promise<void> }): void {
  useEffect(() => {
    void what.open()
  }, [what])
}
