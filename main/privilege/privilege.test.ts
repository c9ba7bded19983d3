import { expect, it } from 'vitest'
import type { ErrorReport } from '../../contract/error-codes'
import { createPrivilege, type Privilege } from './privilege'

function privilege(): { readonly privilege: Privilege; readonly notices: ErrorReport[] } {
  const notices: ErrorReport[] = []
  return {
    notices,
    privilege: createPrivilege({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: (notice) => void notices.push(notice) },
      helper: '/nonexistent/causeway-helper',
    }),
  }
}

it.skipIf(process.platform === 'win32')(
  'says that the kill switch cannot be lifted without a helper',
  async () => {
    await expect(privilege().privilege.release()).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'cannot-release',
    })
  },
)

it('says nothing after a tunnel that had no kill switch', async () => {
  const { privilege: own, notices } = privilege()
  await own.afterwards(false)
  await own.afterwards(true)
  expect(notices).toEqual([])
})
