import { renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { inWindow, settled } from '../../hooks.testing'
import { usePagedList } from './use-paged-list'

interface Item {
  readonly id: string
}

/** Returns items with the ids from `first` up to but not including `end`. */
function numbered(first: number, end: number): Item[] {
  return Array.from({ length: end - first }, (_, index) => ({ id: String(first + index) }))
}

function good(data: readonly Item[], cachedAt?: number, unreadable = 0) {
  return { ok: true, value: { data, unreadable, cachedAt } } as const
}

const unreachable = { ok: false, error: { code: 'http/unreachable', message: '' } } as const

/** Opens a list over these answers, the last of which repeats, and records the offsets that were requested. */
async function listOver(
  answers: readonly (ReturnType<typeof good> | typeof unreachable)[],
  { inOnePage = false } = {},
) {
  const offsets: number[] = []
  const fetchPage = (offset: number) => {
    const answer = answers[Math.min(offsets.length, answers.length - 1)] ?? unreachable
    offsets.push(offset)
    return Promise.resolve(answer)
  }
  const { result } = renderHook(() => usePagedList({ queryKey: ['list'], fetchPage, inOnePage }), {
    wrapper: inWindow(),
  })
  const run = (call: 'more' | 'retry' | 'refresh') =>
    settled(() => {
      result.current[call]()
    })
  await settled()
  return {
    offsets,
    list: () => result.current,
    ids: () => result.current.items.map(({ id }) => id),
    more: () => run('more'),
    retry: () => run('retry'),
    refresh: () => run('refresh'),
  }
}

describe('a list in pages', () => {
  it('is fetched by offset until a page is empty', async () => {
    const { list, more, offsets } = await listOver([good(numbered(1, 31)), good(numbered(31, 41)), good([])])
    await more()
    await more()
    await more()
    expect(list()).toMatchObject({ items: numbered(1, 41), ended: true, isLoading: false })
    expect(offsets).toEqual([0, 30, 40])
  })

  it('contains an item once that moved to a later page', async () => {
    // Two new items have arrived at the front between the requests.
    const { ids, more, offsets } = await listOver([good(numbered(10, 40)), good(numbered(38, 68)), good([])])
    await more()
    expect(ids()).toEqual(numbered(10, 68).map(({ id }) => id))
    await more()
    expect(offsets, 'of the service, not of what is shown').toEqual([0, 30, 60])
  })

  it('requests further pages while they contain nothing new, and stops after a few', async () => {
    const { list, more, offsets } = await listOver([good(numbered(1, 31))])
    await more()
    expect(offsets).toEqual([0, 30, 60, 90])
    expect(list()).toMatchObject({ ended: true, items: numbered(1, 31) })
  })

  it('keeps its items when a page fails, and retries that page', async () => {
    const { list, more, retry, offsets } = await listOver([
      good(numbered(1, 31)),
      unreachable,
      good(numbered(31, 61)),
    ])
    await more()
    expect(list()).toMatchObject({ failsAtEnd: true, error: { code: 'http/unreachable' } })
    await more()
    expect(offsets, 'not by itself').toEqual([0, 30])
    await retry()
    expect(list()).toMatchObject({ items: numbered(1, 61), error: undefined, failsAtEnd: false })
    expect(offsets).toEqual([0, 30, 30])
  })

  it('starts at the first page when refreshed, and keeps its items if that fails or returns a cached page', async () => {
    const { list, ids, more, retry, refresh, offsets } = await listOver([
      good(numbered(1, 31)),
      good(numbered(31, 61)),
      unreachable,
      good(numbered(1, 31), 1234),
      good(numbered(61, 71)),
      good(numbered(100, 130)),
    ])
    await more()
    const { key } = list()
    await refresh()
    expect(list()).toMatchObject({
      error: { code: 'http/unreachable' },
      failsAtEnd: false,
      items: numbered(1, 61),
    })
    await retry()
    expect(list()).toMatchObject({ cachedAt: 1234, items: numbered(1, 61), error: undefined })
    await more()
    expect(list()).toMatchObject({ items: numbered(1, 71) })
    expect(list().key, 'keeps its place').toBe(key)
    await refresh()
    expect(ids()).toEqual(numbered(100, 130).map(({ id }) => id))
    expect(list()).toMatchObject({ cachedAt: undefined })
    expect(list().key).not.toBe(key)
    expect(offsets).toEqual([0, 30, 0, 0, 60, 0])
  })

  it("counts unparsable records, which the service's offsets include", async () => {
    const { list, ids, more, refresh, offsets } = await listOver([
      good(numbered(1, 29), undefined, 2),
      good([], undefined, 1),
      good(numbered(32, 42)),
      good([]),
    ])
    expect(list()).toMatchObject({ unreadable: 2, ended: false })
    await more()
    await more()
    expect(offsets).toEqual([0, 30, 31, 41])
    expect(list()).toMatchObject({ unreadable: 3, ended: true })
    expect(ids()).toHaveLength(38)
    await refresh()
    expect(list().unreadable, 'starts over').toBe(0)
  })

  it('ends after one page if the service has no offset', async () => {
    const { list, more, offsets } = await listOver([good(numbered(1, 51))], { inOnePage: true })
    await more()
    expect(offsets).toEqual([0])
    expect(list().ended).toBe(true)
  })
})
