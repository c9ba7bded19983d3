import { expect, it } from 'vitest'
import { Inbox } from './inbox'

it('hands over what came before anybody took it, once and in order, and then each at once', () => {
  const inbox = new Inbox<string>()
  inbox.put('a')
  inbox.put('b')
  const taken: string[] = []
  inbox.onEach((item) => taken.push(item))
  expect(taken).toEqual(['a', 'b'])
  inbox.put('c')
  expect(taken).toEqual(['a', 'b', 'c'])
})
