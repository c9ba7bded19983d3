import { beforeEach, expect, it } from 'vitest'
import { Poller, type ListOfInstance } from './poller'

const minute = 60_000

let now: number
let fetched: string[]
let timers: { readonly at: number; readonly then: () => void }[]
let lists: ListOfInstance[]
let rounds: Poller

const known = (id: string, login: ListOfInstance['login'] = 'signed-in'): ListOfInstance => ({
  id,
  login,
  status: 'loaded',
})

beforeEach(() => {
  now = 0
  fetched = []
  timers = []
  lists = [known('a'), known('b', 'signed-out')]
  rounds = new Poller({
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

/** Lets time pass, and with it the timers. */
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

it('asks once an hour, only where there is a login, with one timer', () => {
  wait(5 * 60)
  expect(fetched).toEqual(['a', 'a', 'a', 'a', 'a'])
  expect(timers).toHaveLength(1)
  rounds.dispose()
  expect(timers).toEqual([])
})

it('asks who comes to the window only after a while', () => {
  rounds.look()
  wait(9)
  rounds.look()
  expect(fetched).toEqual(['a'])
  wait(1)
  rounds.look()
  expect(fetched).toEqual(['a', 'a'])
})

it('asks the instance of a new tunnel, unless that was a moment ago', () => {
  lists = [known('a'), known('c')]
  rounds.connected('c')
  rounds.connected('c')
  expect(fetched).toEqual(['c'])
  wait(1)
  rounds.connected('c')
  expect(fetched).toEqual(['c', 'c'])
})

it('does not ask again for what was fetched for another reason', () => {
  lists = [{ ...known('a'), status: 'loading' }]
  rounds.see()
  lists = [known('a')]
  rounds.look()
  expect(fetched).toEqual([])
})

it('without a timer asks only who comes to the window', () => {
  const quiet = new Poller({
    lists: () => lists,
    refresh: (id) => {
      fetched.push(`quiet ${id}`)
      return Promise.resolve()
    },
    now: () => now,
  })
  rounds.dispose()
  wait(5 * 60)
  expect(fetched).toEqual([])
  quiet.look()
  expect(fetched).toEqual(['quiet a'])
})
