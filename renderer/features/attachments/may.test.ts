import { describe, expect, it } from 'vitest'
import type { AttachmentItem } from '../../../contract/attachments'
import { may } from './may'

const own: AttachmentItem = {
  id: '1',
  userId: 'me',
  title: 'Mine',
  type: 'EXTERNAL',
  status: 'COMPLETED',
  videos: [],
  modules: [],
}
const foreign: AttachmentItem = { ...own, userId: 'somebody' }

describe('may', () => {
  it.each([
    ['nobody in particular', {}, [true, true, true, true]],
    ['an administrator', { userId: 'me', roles: ['ADMINISTRATOR'] }, [true, true, true, true]],
    ['a contributor', { userId: 'me', roles: ['MEMBER', 'CONTRIBUTOR'] }, [true, true, true, false]],
    ['a contributor without an id', { roles: ['CONTRIBUTOR'] }, [true, true, true, true]],
    ['a member', { userId: 'me', roles: ['MEMBER'] }, [false, false, false, false]],
    ['a member without an id', { roles: ['MEMBER'] }, [false, false, false, false]],
  ] as const)('to %s', (_who, identity, [list, add, changeOwn, changeForeign]) => {
    const allowed = may(identity)
    expect([allowed.list, allowed.add, allowed.change(own), allowed.change(foreign)]).toEqual([
      list,
      add,
      changeOwn,
      changeForeign,
    ])
  })
})
