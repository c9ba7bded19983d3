import { describe, expect, it } from 'vitest'
import { PagedList, type Page } from './paged-list'

interface Item {
  readonly id: string
}

/** Returns items with the ids from `first` up to but not including `end`. */
function numbered(first: number, end: number): Item[] {
  return Array.from({ length: end - first }, (_, index) => ({ id: String(first + index) }))
}

function good(data: readonly Item[], seenAt?: number, unreadable = 0): Page<Item> {
  return { ok: true, value: { data, unreadable, seenAt } }
}

const unreachable: Page<Item> = { ok: false, error: { code: 'http/unreachable', message: '' } }

/** Returns a list over these answers, the last of which repeats, and the offsets that were requested. */
function listOver(...answers: readonly Page<Item>[]) {
  const offsets: number[] = []
  const list = new PagedList<Item>((offset) => {
    const answer = answers[Math.min(offsets.length, answers.length - 1)] ?? unreachable
    offsets.push(offset)
    return Promise.resolve(answer)
  })
  return { list, offsets, ids: () => list.store.getState().items.map(({ id }) => id) }
}

describe('PagedList', () => {
  it('fetches by offset until a page is empty', async () => {
    const { list, offsets } = listOver(good(numbered(1, 31)), good(numbered(31, 41)), good([]))
    await list.open()
    await list.more()
    await list.more()
    await list.more()
    expect(list.store.getState()).toMatchObject({ items: numbered(1, 41), ended: true, status: 'loaded' })
    expect(offsets).toEqual([0, 30, 40])
  })

  it('contains an item once that moved to a later page', async () => {
    // Two new items have arrived at the front between the requests.
    const { list, ids, offsets } = listOver(good(numbered(10, 40)), good(numbered(38, 68)), good([]))
    await list.open()
    await list.more()
    expect(ids()).toEqual(numbered(10, 68).map(({ id }) => id))
    await list.more()
    expect(offsets, 'of the service, not of what is shown').toEqual([0, 30, 60])
  })

  it('requests further pages while they contain nothing new, and stops after a few', async () => {
    const same = good(numbered(1, 31))
    const { list, offsets } = listOver(same)
    await list.open()
    await list.more()
    expect(offsets).toEqual([0, 30, 60, 90])
    expect(list.store.getState()).toMatchObject({ ended: true, items: numbered(1, 31) })
  })

  it('keeps its items when a page fails, and retries that page', async () => {
    const { list, offsets } = listOver(good(numbered(1, 31)), unreachable, good(numbered(31, 61)))
    await list.open()
    await list.more()
    expect(list.store.getState()).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
    await list.more()
    expect(offsets, 'not by itself').toEqual([0, 30])
    await list.retry()
    expect(list.store.getState()).toMatchObject({
      status: 'loaded',
      items: numbered(1, 61),
      error: undefined,
    })
    expect(offsets).toEqual([0, 30, 30])
  })

  it('starts at the first page when refreshed, and keeps its items if that fails or returns a cached page', async () => {
    const { list, ids, offsets } = listOver(
      good(numbered(1, 31)),
      good(numbered(31, 61)),
      unreachable,
      good(numbered(1, 31), 1234),
      good(numbered(100, 130)),
    )
    await list.open()
    await list.more()
    await list.refresh()
    expect(list.store.getState()).toMatchObject({ status: 'failed', items: numbered(1, 61) })
    await list.retry()
    expect(list.store.getState()).toMatchObject({ seenAt: 1234, items: numbered(1, 61) })
    await list.refresh()
    expect(ids()).toEqual(numbered(100, 130).map(({ id }) => id))
    expect(list.store.getState()).toMatchObject({ seenAt: undefined })
    expect(offsets).toEqual([0, 30, 0, 0, 0])
  })

  it('ignores the answer to a request from before a refresh', async () => {
    const answers: ((page: Page<Item>) => void)[] = []
    const list = new PagedList<Item>(
      () =>
        new Promise((resolve) => {
          answers.push(resolve)
        }),
    )
    const first = list.open()
    const second = list.refresh()
    answers[1]?.(good(numbered(50, 60)))
    answers[0]?.(good(numbered(1, 31)))
    await Promise.all([first, second])
    expect(list.store.getState().items).toEqual(numbered(50, 60))
  })

  it("counts unparsable records, which the service's offsets include", async () => {
    const { list, offsets, ids } = listOver(
      good(numbered(1, 29), undefined, 2),
      good([], undefined, 1),
      good(numbered(32, 42)),
      good([]),
    )
    await list.open()
    expect(list.store.getState()).toMatchObject({ unreadable: 2, ended: false })
    await list.more()
    await list.more()
    expect(offsets).toEqual([0, 30, 31, 41])
    expect(list.store.getState()).toMatchObject({ unreadable: 3, ended: true })
    expect(ids()).toHaveLength(38)
    await list.refresh()
    expect(list.store.getState().unreadable, 'starts over').toBe(0)
  })

  it('ends after one page if the service has no offset', async () => {
    const asked: number[] = []
    const list = new PagedList<Item>(
      (offset) => {
        asked.push(offset)
        return Promise.resolve(good(numbered(1, 51)))
      },
      { inOnePage: true },
    )
    await list.open()
    await list.more()
    expect(asked).toEqual([0])
    expect(list.store.getState().ended).toBe(true)
  })
})
