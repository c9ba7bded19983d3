import { expect, it } from 'vitest'
import { report } from '../../errors'
import { Notices } from './notices'

it('keeps a notice that comes again once, as the newest', () => {
  const notices = new Notices()
  const blocked = () => report('helper/traffic-blocked')
  const notExtended = (instance: string) => report('session/not-extended', { details: { instance } })
  let changes = 0
  notices.onChange(() => (changes += 1))
  for (const notice of [blocked(), notExtended('one'), notExtended('two'), blocked(), notExtended('one')])
    notices.add(notice)
  expect(notices.all).toEqual([notExtended('two'), blocked(), notExtended('one')])
  expect(changes).toBe(5)
})
