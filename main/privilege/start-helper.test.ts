import { expect, it } from 'vitest'
import { helperDidNotStart, saysWrongPassword } from './start-helper'

it.each([
  ['pkexec', 126, {}, 'helper/dismissed'],
  ['pkexec', 127, { isWrongPassword: false }, 'helper/not-authorized'],
  ['pkexec', 127, { isWrongPassword: true, variant: 'wrong-password' }, 'helper/not-authorized'],
  ['pkexec', 1, {}, 'helper/failed'],
  ['sudo', 1, {}, 'helper/not-authorized'],
  ['sudo-askpass', 1, { isWrongPassword: true, variant: 'wrong-password' }, 'helper/not-authorized'],
  ['sudo', 126, {}, 'helper/failed'],
  ['sudo', 127, {}, 'helper/failed'],
  ['root', 1, {}, 'helper/failed'],
  ['root', 126, {}, 'helper/failed'],
  ['launchd', undefined, {}, 'helper/failed'],
  ['service', undefined, {}, 'helper/windows-helper-unusable'],
  ['service', 1, {}, 'helper/failed'],
] as const)(
  'tells why a helper did not start: %s, exit status %s, %j',
  (
    elevation,
    exitCode,
    { isWrongPassword, variant }: { isWrongPassword?: boolean; variant?: string },
    code,
  ) => {
    expect(helperDidNotStart(elevation, exitCode, isWrongPassword)).toMatchObject({ code, variant })
  },
)

it('knows a wrong password by the words of sudo', () => {
  expect(saysWrongPassword('sudo: 3 incorrect password attempts')).toBe(true)
  expect(saysWrongPassword('sudo: 1 incorrect password attempt')).toBe(true)
  expect(saysWrongPassword('sudo: a password is required')).toBe(false)
})
