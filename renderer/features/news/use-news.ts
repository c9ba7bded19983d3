import { type DefinedUseQueryResult, type InfiniteData, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CommandInput, CommandOutput } from '../../../contract/commands'
import type { ContentList, EntryItem, NewsItem, TweetItem } from '../../../contract/news'
import { useBridge } from '../../store/context'
import { useQueryClient, valueOf } from '../../store/queries'
import { windowStore } from '../../store/window-store'
import { NewsStore, type NewsState, type Opened } from './news-store'
import { type PagedList, usePagedList } from './use-paged-list'

/** Id of the instance whose news are shown. */
export const NewsInstance = createContext('')

export function useNewsInstance(): string {
  return use(NewsInstance)
}

export const useNewsStore = windowStore(
  (bridge) => new NewsStore(bridge),
  (store, instanceId) => {
    store.forget(instanceId)
  },
)

export function useNewsState(): NewsState {
  return useStore(useNewsStore().state)
}

export function useEntries(of: ContentList, { enabled = true } = {}): PagedList<EntryItem> {
  const bridge = useBridge()
  const instanceId = useNewsInstance()
  return usePagedList({
    queryKey: ['listEntries', { instanceId, of }],
    fetchPage: (offset) => bridge.run('listEntries', { instanceId, of, offset }),
    enabled,
  })
}

export function useTweets(of: NewsState['tweets']): PagedList<TweetItem> {
  const bridge = useBridge()
  const instanceId = useNewsInstance()
  return usePagedList({
    queryKey: ['listTweets', { instanceId, of }],
    fetchPage: (offset) => bridge.run('listTweets', { instanceId, ...of, offset }),
  })
}

export function useNewsItems(of: Omit<CommandInput<'listNews'>, 'instanceId'>): PagedList<NewsItem> {
  const bridge = useBridge()
  const instanceId = useNewsInstance()
  return usePagedList({
    queryKey: ['listNews', { instanceId, of }],
    fetchPage: () => bridge.run('listNews', { instanceId, ...of }),
    inOnePage: true,
  })
}

/** Fetches an entry, with related ones if it is opened by its address. */
export function useEntry(opened: Opened): DefinedUseQueryResult<CommandOutput<'revealEntry'> | null> {
  const bridge = useBridge()
  const instanceId = useNewsInstance()
  return useQuery<CommandOutput<'revealEntry'> | null>(
    {
      queryKey: ['entry', { instanceId, ...opened }],
      initialData: null,
      async queryFn() {
        if ('address' in opened) return valueOf(await bridge.run('revealEntry', { instanceId, ...opened }))
        const found = valueOf(await bridge.run('showEntry', { instanceId, ...opened }))
        return { ...found, data: { entry: found.data, related: [], unreadable: 0 } }
      },
    },
    useQueryClient(),
  )
}

/** Someone who wrote an entry that a list has shown. */
interface Person {
  readonly id: string
  readonly name: string
}

/** Returns the people whose entries the lists of this instance have shown, by name. */
export function usePeople(): readonly Person[] {
  const { i18n } = useTranslation()
  const queryKey = ['listEntries', { instanceId: useNewsInstance() }]
  const lists = useQueryClient().getQueriesData<InfiniteData<CommandOutput<'listEntries'>>>({ queryKey })
  const people = new Map<string, Person>()
  for (const { author } of lists.flatMap(([, list]) => list?.pages.flatMap(({ data }) => data) ?? []))
    if (author?.id !== undefined) people.set(author.id, { id: author.id, name: author.name || author.id })
  return [...people.values()].sort((one, other) => one.name.localeCompare(other.name, i18n.language))
}
