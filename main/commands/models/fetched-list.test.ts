import { expect, it, vi } from 'vitest'
import { CausewayError } from '../../errors'
import type { Records } from '../../loose'
import type { MaybeCached } from '../../services/offline-cache/read-or-cached'
import { FetchedList } from './fetched-list'

const records = (item: string, unreadable = 0): Records<string> => ({ items: [item], unreadable })

/** Begins to load a list whose last items are known; `end` settles the load. */
function listLoading() {
  const defects: unknown[] = []
  const answers: ((answer: Promise<MaybeCached<Records<string>>>) => void)[] = []
  const list = new FetchedList<string>(
    () =>
      new Promise((resolve) => {
        answers.push(resolve)
      }),
    {
      onChange: () => undefined,
      onDefect: (error) => defects.push(error),
      readCached: () => Promise.resolve(records('old')),
    },
  )
  const loaded = list.load()
  const end = async (answer: Promise<MaybeCached<Records<string>>>): Promise<void> => {
    answers[0]?.(answer)
    await loaded
  }
  return { list, defects, end, untilRecalled: () => vi.waitUntil(() => list.state.items.length > 0) }
}

it('shows the last items until the first load ends', async () => {
  const { list, end, untilRecalled } = listLoading()
  await untilRecalled()
  expect(list.state).toEqual({ status: 'loading', items: ['old'] })
  await end(Promise.resolve({ data: records('new') }))
  expect(list.state).toEqual({ status: 'loaded', items: ['new'] })
})

it('hides them again after a refusal', async () => {
  const { list, end, untilRecalled } = listLoading()
  await untilRecalled()
  await end(Promise.reject(new CausewayError('vpn-api/refused', { details: { host: 'vpn.example.org' } })))
  expect(list.state).toMatchObject({ status: 'failed', items: [], error: { code: 'vpn-api/refused' } })
})

it('reports an error that no cause explains', async () => {
  const { list, defects, end } = listLoading()
  const defect = new TypeError('of a program')
  await end(Promise.reject(defect))
  expect(list.state).toMatchObject({ status: 'failed', error: { code: 'internal/unexpected' } })
  expect(defects).toEqual([defect])
})

it('does not replace newer items with the last ones', async () => {
  const { list, end } = listLoading()
  await end(Promise.resolve({ data: records('new') }))
  await Promise.resolve()
  expect(list.state.items).toEqual(['new'])
})

it('keeps the number of unreadable records beside the items', async () => {
  const { list, end } = listLoading()
  await end(Promise.resolve({ data: records('new', 2) }))
  expect(list.state).toEqual({ status: 'loaded', items: ['new'], unreadable: 2 })
})
