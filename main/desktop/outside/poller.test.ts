import { beforeEach, expect, it } from 'vitest'
import { Poller, type ListOfInstance } from './poller'

const minute = 60_000

let now: number
let fetched: string[]
let timers: { readonly at: number; readonly then: () => void }[]
let lists: ListOfInstance[]
let poller: Poller

const listOwner = (id: string, login: ListOfInstance['login'] = 'signed-in'): ListOfInstance => ({
  id,
  login,
  status: 'loaded',
})

beforeEach(() => {
  now = 0
  fetched = []
  timers = []
  lists = [listOwner('a'), listOwner('b', 'signed-out')]
  poller = new Poller({
    lists: () => lists,
    refresh: (id) => {
      fetched.push(id)
      return Promise.resolve()
    },
    now: () => now,
    after: (milliseconds, then) => {
      const timer = { at: now + milliseconds, then }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  })
})

/** Advances the clock and runs due timers. */
function wait(minutes: number): void {
  const end = now + minutes * minute
  for (;;) {
    const next = timers.find(({ at }) => at <= end)
    if (next === undefined) break
    timers = timers.filter((each) => each !== next)
    now = next.at
    next.then()
  }
  now = end
}

it('fetches once an hour for instances with a login, with one timer', () => {
  wait(5 * 60)
  expect(fetched).toEqual(['a', 'a', 'a', 'a', 'a'])
  expect(timers).toHaveLength(1)
  poller.dispose()
  expect(timers).toEqual([])
})

it('fetches on focus only if the list is ten minutes old', () => {
  poller.refreshOld()
  wait(9)
  poller.refreshOld()
  expect(fetched).toEqual(['a'])
  wait(1)
  poller.refreshOld()
  expect(fetched).toEqual(['a', 'a'])
})

it('fetches after connecting, unless it did within the last minute', () => {
  lists = [listOwner('a'), listOwner('c')]
  poller.connected('c')
  poller.connected('c')
  expect(fetched).toEqual(['c'])
  wait(1)
  poller.connected('c')
  expect(fetched).toEqual(['c', 'c'])
})

it('does not fetch again what others have just fetched', () => {
  lists = [{ ...listOwner('a'), status: 'loading' }]
  poller.noteLoading()
  lists = [listOwner('a')]
  poller.refreshOld()
  expect(fetched).toEqual([])
})

it('takes lists for old after the clock was set back', () => {
  wait(24 * 60)
  const before = fetched.length
  now -= 12 * 60 * minute
  poller.refreshOld()
  expect(fetched).toHaveLength(before + 1)
})

it('fetches only on focus without a timer', () => {
  const quiet = new Poller({
    lists: () => lists,
    refresh: (id) => {
      fetched.push(`quiet ${id}`)
      return Promise.resolve()
    },
    now: () => now,
  })
  poller.dispose()
  wait(5 * 60)
  expect(fetched).toEqual([])
  quiet.refreshOld()
  expect(fetched).toEqual(['quiet a'])
})
