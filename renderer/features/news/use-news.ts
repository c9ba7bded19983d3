import { createContext, use, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { windowStore } from '../../store/window-store'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import type { Answer, AnswerState } from './answer'
import { NewsStore, type NewsState, type Person } from './news-store'

/** Id of the instance whose news are shown. */
export const NewsInstance = createContext('')

export function useNewsInstance(): string {
  return use(NewsInstance)
}

export const useNewsStore = windowStore((bridge) => new NewsStore(bridge))

export function useNewsState(): NewsState {
  return useStore(useNewsStore().state)
}

/** Returns the people whose entries the lists of this instance have shown, by name. */
export function usePeople(): readonly Person[] {
  const { i18n } = useTranslation()
  const { people } = useNewsState()
  const instanceId = useNewsInstance()
  return (people[instanceId] ?? []).toSorted((one, other) =>
    one.name.localeCompare(other.name, i18n.language),
  )
}

/** Opens a list or query when it is first rendered. */
export function useOpened(what: { open(): Promise<void> }): void {
  useEffect(() => {
    void what.open()
  }, [what])
}

/** Returns the state of a query: opens it, and repeats it periodically while its answer is from the cache. */
export function useAnswer<Data>(answer: Answer<Data>): AnswerState<Data> {
  const state = useStore(answer.store)
  useOpened(answer)
  useRetryWhileCached(state.seenAt !== undefined, () => void answer.refresh())
  return state
}
