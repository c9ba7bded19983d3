import { createContext, use, useEffect } from 'react'
import { useStore } from 'zustand'
import { useBridge } from '../../store/context'
import { useAgainWhileOld } from '../../ui/use-again-while-old'
import type { Answer, AnswerState } from './answer'
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

/** What a query has answered: fetched when it is looked at, and again now and then while it is old. */
export function useAnswer<Data>(answer: Answer<Data>): AnswerState<Data> {
  const state = useStore(answer.store)
  useOpened(answer)
  useAgainWhileOld(state.seenAt !== undefined, () => void answer.refresh())
  return state
}
