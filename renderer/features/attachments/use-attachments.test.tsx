import { renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AttachmentItem } from '../../../contract/attachments'
import { inWindow, settled } from '../../hooks.testing'
import { may } from './may'
import { itemAt, matching, useFetchedAttachments } from './use-attachments'

function item(title: string): AttachmentItem {
  return { id: title, userId: 'ann', title, type: 'EXTERNAL', status: 'COMPLETED', videos: [], modules: [] }
}

const answerOf = (data: readonly AttachmentItem[], totalCount: number, unreadable = 0) => ({
  ok: true,
  value: { data, totalCount, unreadable },
})

/** Returns a page of a hundred with this attachment first, the rest of which couldn't be parsed. */
const page = (title: string) => answerOf([item(title)], 1000, 99)

/** Opens the attachments with requests that the test answers. */
async function open(roles?: Parameters<typeof may>[0]['roles']) {
  const asked: { readonly input: unknown; readonly answer: (result: unknown) => Promise<void> }[] = []
  const wrapper = inWindow(
    (_name, input) =>
      new Promise((resolve) => {
        asked.push({
          input,
          answer: (result) =>
            settled(() => {
              resolve(result)
            }),
        })
      }),
  )
  const allowed = may({ roles })
  const { result } = renderHook(() => useFetchedAttachments('vpn.example.org', allowed), { wrapper })
  await settled()
  return {
    asked,
    view: () => result.current,
    fetchRows: (first: number, last: number) =>
      settled(() => {
        result.current.fetchRows(first, last)
      }),
    askVideo: (videoId: string) =>
      settled(() => {
        result.current.ask({ kind: 'video', videoId })
      }),
    refresh: () => settled(() => void result.current.refresh()),
    titleAt: (index: number) => {
      const found = itemAt(result.current, index)
      return typeof found === 'string' ? undefined : found.title
    },
  }
}

describe('the list of attachments', () => {
  it('fetches each page once', async () => {
    const { asked, fetchRows, titleAt } = await open()
    await asked[0]?.answer(page('first'))
    await fetchRows(0, 12)
    await fetchRows(195, 207)
    await fetchRows(196, 208)
    expect(asked.map(({ input }) => input)).toMatchObject([{ page: 1 }, { page: 2 }, { page: 3 }])
    await asked[2]?.answer(page('third'))
    await fetchRows(0, 12)
    expect([titleAt(200), titleAt(100), titleAt(0)]).toEqual(['third', undefined, 'first'])
    expect(asked).toHaveLength(3)
  })

  it('fetches all attachments of a video at once, without pages', async () => {
    const { asked, askVideo, fetchRows, titleAt } = await open()
    await askVideo('v1')
    expect(asked[1]?.input).toEqual({ instanceId: 'vpn.example.org', videoId: 'v1' })
    const titles = Array.from({ length: 150 }, (_, index) => `title ${index}`)
    await asked[1]?.answer(answerOf(titles.map(item), 150))
    await fetchRows(95, 149)
    expect(asked).toHaveLength(2)
    expect([titleAt(100), titleAt(149)]).toEqual(['title 100', 'title 149'])
  })

  it('has no more rows than a service with a fixed page size returns for a video', async () => {
    const { asked, askVideo, fetchRows, refresh, view } = await open()
    await askVideo('v1')
    await asked[1]?.answer(answerOf([item('one')], 30, 9))
    expect(view()).toMatchObject({ rowCount: 10, totalCount: 30 })
    expect(itemAt(view(), 9)).toBe('unreadable')
    await fetchRows(0, 9)
    await refresh()
    expect(asked).toHaveLength(3)
  })

  it('uses the page size of a service that returns smaller pages', async () => {
    const { asked, fetchRows, titleAt, view } = await open()
    const ten = (from: number) => Array.from({ length: 10 }, (_, index) => item(`title ${from + index}`))
    await asked[0]?.answer(answerOf(ten(0), 25))
    await fetchRows(12, 13)
    expect(asked[1]?.input).toMatchObject({ page: 2, pageSize: 10 })
    await asked[1]?.answer(answerOf(ten(10), 25))
    expect(titleAt(12)).toBe('title 12')
    expect(itemAt(view(), 22)).toBe('coming')
  })

  it('shows refreshed pages at once, and none of a request that a newer one replaced', async () => {
    const { asked, fetchRows, refresh, titleAt } = await open()
    await asked[0]?.answer(page('old first'))
    await fetchRows(90, 110)
    await asked[1]?.answer(page('old second'))
    await refresh()
    await refresh()
    expect(asked).toHaveLength(6)
    await asked[2]?.answer(page('outdated'))
    await asked[4]?.answer(page('new first'))
    expect([titleAt(0), titleAt(100)], 'until both are there').toEqual(['old first', 'old second'])
    await asked[5]?.answer(page('new second'))
    expect([titleAt(0), titleAt(100)]).toEqual(['new first', 'new second'])
  })

  it('keeps its rows while the service fails, and drops them when access is denied', async () => {
    const { asked, fetchRows, refresh, titleAt, view } = await open()
    await asked[0]?.answer(page('secret'))
    await refresh()
    await asked[1]?.answer({ ok: false, error: { code: 'http/unreachable', message: '' } })
    expect(titleAt(0)).toBe('secret')
    await fetchRows(300, 310)
    expect(asked, 'nothing by itself after a failure').toHaveLength(2)
    await refresh()
    for (const { answer } of asked.slice(2))
      await answer({ ok: false, error: { code: 'attachments/forbidden', message: '' } })
    expect(titleAt(0)).toBeUndefined()
    expect(view()).toMatchObject({ rowCount: undefined, error: { code: 'attachments/forbidden' } })
  })

  it('fetches nothing for a member until they name a video', async () => {
    const { asked, view, askVideo } = await open(['MEMBER'])
    expect(view().question).toEqual({ kind: 'video', videoId: '' })
    expect(asked).toHaveLength(0)
    await askVideo('v1')
    expect(asked).toHaveLength(1)
  })

  it('fetches a list again that is asked for again, and shows the former one meanwhile', async () => {
    const { asked, askVideo, view, titleAt } = await open()
    await asked[0]?.answer(page('former'))
    await askVideo('v1')
    await settled(() => {
      view().ask(matching({}))
    })
    expect(titleAt(0)).toBe('former')
    expect(asked).toHaveLength(3)
    await asked[2]?.answer(page('latter'))
    expect(titleAt(0)).toBe('latter')
  })
})
