import { describe, expect, it } from 'vitest'
import type { AttachmentItem } from '../../../contract/attachments'
import type { Bridge } from '../../../contract/bridge'
import { AttachmentsStore, everything, itemAt } from './attachments-store'

function item(title: string): AttachmentItem {
  return { id: title, userId: 'ann', title, type: 'EXTERNAL', status: 'COMPLETED', videos: [], modules: [] }
}

const page = (...titles: readonly string[]) => ({
  ok: true,
  value: { data: titles.map(item), totalCount: 1000, unreadable: 100 - titles.length },
})

interface Asked {
  readonly input: unknown
  readonly answer: (result: unknown) => Promise<void>
}

/** Opens a store whose requests the test answers. */
function open(): { readonly store: AttachmentsStore; readonly asked: readonly Asked[] } {
  const asked: Asked[] = []
  const run = (_name: string, input: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      asked.push({
        input,
        answer: async (result) => {
          resolve(result)
          // Let the store process the answer.
          await new Promise((done) => setTimeout(done))
        },
      })
    })
  const store = new AttachmentsStore({ run } as unknown as Bridge)
  store.show('vpn.example.org')
  store.begin(true)
  return { store, asked }
}

const titleAt = (store: AttachmentsStore, index: number): string | undefined => {
  const found = itemAt(store.state.getState(), index)
  return typeof found === 'string' ? undefined : found.title
}

describe('AttachmentsStore', () => {
  it('fetches each page once', async () => {
    const { store, asked } = open()
    await asked[0]?.answer(page('first'))
    store.fetchRows(0, 12)
    store.fetchRows(195, 207)
    store.fetchRows(196, 208)
    expect(asked.map(({ input }) => input)).toMatchObject([{ page: 1 }, { page: 2 }, { page: 3 }])
    await asked[2]?.answer(page('third'))
    expect(titleAt(store, 200)).toBe('third')
    expect(titleAt(store, 100)).toBeUndefined()
    expect(titleAt(store, 0)).toBe('first')
  })

  it('ignores a late answer to an earlier query', async () => {
    const { store, asked } = open()
    store.ask({ kind: 'video', videoId: 'v1' })
    await asked[1]?.answer(page('of the video'))
    await asked[0]?.answer(page('of all'))
    expect(titleAt(store, 0)).toBe('of the video')
    expect(store.state.getState().loading).toBe(false)
  })

  it('fetches all attachments of a video at once, without pages', async () => {
    const { store, asked } = open()
    store.ask({ kind: 'video', videoId: 'v1' })
    expect(asked[1]?.input).toEqual({ instanceId: 'vpn.example.org', videoId: 'v1' })
    const titles = Array.from({ length: 150 }, (_, index) => `title ${index}`)
    const data = titles.map(item)
    await asked[1]?.answer({ ok: true, value: { data, totalCount: 150, unreadable: 0 } })
    store.fetchRows(95, 149)
    expect(asked).toHaveLength(2)
    expect([titleAt(store, 100), titleAt(store, 149)]).toEqual(['title 100', 'title 149'])
  })

  it('has no more rows than a service with a fixed page size returns for a video', async () => {
    const { store, asked } = open()
    store.ask({ kind: 'video', videoId: 'v1' })
    await asked[1]?.answer({ ok: true, value: { data: [item('one')], totalCount: 30, unreadable: 9 } })
    expect(store.state.getState()).toMatchObject({ rowCount: 10, totalCount: 30 })
    expect(itemAt(store.state.getState(), 9)).toBe('unreadable')
    store.fetchRows(0, 9)
    void store.refresh()
    expect(asked).toHaveLength(3)
  })

  it('uses the page size of a service that returns smaller pages', async () => {
    const { store, asked } = open()
    const ten = (from: number) => Array.from({ length: 10 }, (_, index) => item(`title ${from + index}`))
    await asked[0]?.answer({ ok: true, value: { data: ten(0), totalCount: 25, unreadable: 0 } })
    store.fetchRows(12, 13)
    expect(asked[1]?.input).toMatchObject({ page: 2, pageSize: 10 })
    await asked[1]?.answer({ ok: true, value: { data: ten(10), totalCount: 25, unreadable: 0 } })
    expect(titleAt(store, 12)).toBe('title 12')
    expect(itemAt(store.state.getState(), 22)).toBe('coming')
  })

  it('fetches once more for any number of refreshes during a fetch', async () => {
    const { store, asked } = open()
    await asked[0]?.answer(page('old'))
    const refreshed = store.refresh()
    void store.refresh()
    void store.refresh()
    expect(asked).toHaveLength(2)
    expect(titleAt(store, 0)).toBe('old')
    await asked[1]?.answer(page('newer'))
    expect(asked).toHaveLength(3)
    await asked[2]?.answer(page('newest'))
    await refreshed
    expect(titleAt(store, 0)).toBe('newest')
    expect(asked).toHaveLength(3)
  })

  it('keeps its rows while the service fails, and drops them when access is denied', async () => {
    const { store, asked } = open()
    await asked[0]?.answer(page('secret'))
    void store.refresh()
    await asked[1]?.answer({ ok: false, error: { code: 'http/unreachable', message: '' } })
    expect(titleAt(store, 0)).toBe('secret')
    store.fetchRows(300, 310)
    expect(asked, 'nothing by itself after a failure').toHaveLength(2)
    void store.refresh()
    for (const { answer } of asked.slice(2)) {
      await answer({ ok: false, error: { code: 'attachments/forbidden', message: '' } })
    }
    expect(titleAt(store, 0)).toBeUndefined()
    expect(store.state.getState().error?.code).toBe('attachments/forbidden')
  })

  it('fetches nothing for a member until they name a video', () => {
    const { store, asked } = open()
    store.begin(false)
    expect(store.state.getState().question).toEqual({ kind: 'video', videoId: '' })
    expect(asked).toHaveLength(1)
    store.ask(everything)
    expect(asked).toHaveLength(2)
  })
})
