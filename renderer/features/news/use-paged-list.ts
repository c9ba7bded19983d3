import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ErrorReport } from '../../../contract/error-codes'
import { useQueryClient, valueOf } from '../../store/queries'

/** A page of a list, as a command returns it. */
interface Answer<Item> {
  readonly data: readonly Item[]
  /** Number of records that couldn't be parsed. */
  readonly unreadable: number
  /** Time of a cached page, in ms since the epoch, if the service can't be reached. */
  readonly cachedAt?: number | undefined
  /** Host that couldn't be reached. */
  readonly host?: string | undefined
}

interface Page<Item> extends Answer<Item> {
  /** Offset of the next page, which includes unparsable records. */
  readonly end: number
  readonly isLast: boolean
  /** Number of times the list started from its first page. */
  readonly began: number
}

export interface PagedList<Item> extends Pick<Answer<Item>, 'unreadable' | 'cachedAt' | 'host'> {
  /** Changes when the list starts over. */
  readonly key: string
  readonly items: readonly Item[]
  readonly isLoading: boolean
  /** True if there are no more pages. */
  readonly ended: boolean
  readonly error: ErrorReport | undefined
  /** The page after the items couldn't be fetched. */
  readonly failsAtEnd: boolean
  /** Fetches the next page, if there is one. Does nothing after a failure. */
  readonly more: () => void
  /** Fetches the failed page again. */
  readonly retry: () => void
  /** Fetches the first page again and keeps the items until it has arrived. */
  readonly refresh: () => void
}

/** Stops requests to a service that always returns the same page. */
const maxPagesWithoutNews = 3

/**
 * Fetches a list page by page, by offset. An item that moved to a later page between requests is contained once.
 * `inOnePage`: the service has no offset for this list.
 */
export function usePagedList<Item extends { readonly id: string }>({
  queryKey,
  fetchPage,
  inOnePage = false,
  enabled = true,
}: {
  readonly queryKey: readonly unknown[]
  readonly fetchPage: (
    offset: number,
  ) => Promise<
    { readonly ok: true; readonly value: Answer<Item> } | { readonly ok: false; readonly error: ErrorReport }
  >
  readonly inOnePage?: boolean
  readonly enabled?: boolean
}): PagedList<Item> {
  const client = useQueryClient()
  const options = {
    queryKey,
    staleTime: Infinity,
    initialPageParam: 0,
    async queryFn({ pageParam: offset }: { readonly pageParam: number }): Promise<Page<Item>> {
      const page = valueOf(await fetchPage(offset))
      const kept = client.getQueryData<InfiniteData<Page<Item>>>(queryKey)?.pages ?? []
      const { cachedAt, host } = page
      const last = kept.at(-1)
      // The items are at least as new as the cached page, and may be more.
      if (offset === 0 && cachedAt !== undefined && last !== undefined)
        return { ...last, ...joined(kept), cachedAt, host }
      const length = page.data.length + page.unreadable
      const began = (kept[0]?.began ?? 0) + (offset === 0 ? 1 : 0)
      return { ...page, end: offset + length, isLast: inOnePage || length === 0, began }
    },
    getNextPageParam: (last: Page<Item>, pages: readonly Page<Item>[]) =>
      last.isLast || joined(pages).pagesWithoutNews >= maxPagesWithoutNews ? undefined : last.end,
  }
  const query = useInfiniteQuery({ ...options, enabled }, client)
  const { data: fetched, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const pages = fetched?.pages
  const { data, unreadable, pagesWithoutNews } = useMemo(() => joined(pages ?? []), [pages])

  const canContinue = hasNextPage && !isFetching && error === null
  useEffect(() => {
    // The visible rows didn't change, so no scrolling would request more.
    if (canContinue && pagesWithoutNews > 0) void fetchNextPage()
  }, [canContinue, pagesWithoutNews, fetchNextPage])

  async function refresh(): Promise<void> {
    await client.cancelQueries({ queryKey, exact: true })
    // The list shows the error.
    await client.infiniteQuery({ ...options, pages: 1, staleTime: 0 }).catch(() => undefined)
  }
  return {
    key: JSON.stringify([queryKey, pages?.[0]?.began]),
    items: data,
    unreadable,
    cachedAt: pages?.at(-1)?.cachedAt,
    host: pages?.at(-1)?.host,
    isLoading: isFetching,
    ended: pages !== undefined && !hasNextPage,
    error: isFetching ? undefined : error?.report,
    failsAtEnd: data.length > 0 && isFetchNextPageError,
    more() {
      if (canContinue) void fetchNextPage()
    },
    retry() {
      void (isFetchNextPageError ? fetchNextPage() : refresh())
    },
    refresh: () => void refresh(),
  }
}

/** Returns the items of these pages, each once, and the number of pages at the end that have nothing new. */
function joined<Item extends { readonly id: string }>(pages: readonly Answer<Item>[]) {
  const items = new Map<string, Item>()
  let unreadable = 0
  let pagesWithoutNews = 0
  for (const page of pages) {
    const before = items.size
    for (const item of page.data) if (!items.has(item.id)) items.set(item.id, item)
    const isNew = items.size > before
    pagesWithoutNews = isNew ? 0 : pagesWithoutNews + 1
    if (isNew || page.data.length === 0) unreadable += page.unreadable
  }
  return { data: [...items.values()], unreadable, pagesWithoutNews }
}
