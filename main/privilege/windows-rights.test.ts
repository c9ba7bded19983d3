import { expect, it } from 'vitest'
import { isAllowedByService, isElevated } from './windows-rights'

const helper = (answer: unknown) => () =>
  [process.execPath, '-e', `console.log(${JSON.stringify(JSON.stringify(answer))})`] as const
const groups = (...pairs: readonly (readonly [string, string])[]) =>
  helper({ elevated: false, groups: pairs.map(([sid, name]) => ({ sid, name })) })

it.each([
  ['an administrator, whose rights need not be in use', groups(['S-1-5-32-544', 'Administratoren']), true],
  ['a member of its own group', groups(['S-1-5-21-1-2-3-1001', 'OpenVPN Administrators']), true],
  ['anybody else', groups(['S-1-5-32-545', 'Users of OpenVPN Administrators']), false],
  ['a user about whom the helper says nothing', helper({ groups: 'all' }), false],
])("detects that OpenVPN's service starts connections for %s", async (_, asked, expected) => {
  expect(await isAllowedByService(asked)).toBe(expected)
})

it('detects the rights of this process, and none without the helper', async () => {
  expect(await isElevated(helper({ elevated: true, groups: [] }))).toBe(true)
  expect(await isElevated(groups(['S-1-5-32-544', 'Administrators']))).toBe(false)
  expect(await isElevated(() => ['/nonexistent/causeway-helper.exe'])).toBe(false)
  expect(await isElevated(() => [process.execPath, '-e', 'console.log("true")'])).toBe(false)
})
