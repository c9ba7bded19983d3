import { expect, it } from 'vitest'
import { isShown, shownViews } from './views'

const service = {
  login: 'signed-out',
  services: { attachments: true, content: true, organizations: false },
} as const
const alone = ['connection', 'settings']
const all = ['connection', 'messages', 'attachments', 'news', 'settings']

it.each([
  ['without a service', [], alone],
  ['before somebody has signed in', [service], alone],
  ['during the first sign-in', [{ ...service, login: 'waiting-for-browser' }], alone],
  ['after it', [{ ...service, login: 'signed-in' }], all],
  ['while the first login is read', [{ ...service, login: 'unknown' }], alone],
  ['while a later login is read', [{ ...service, login: 'unknown', hasSignedIn: true }], all],
  ['after signing out, and a restart', [{ ...service, hasSignedIn: true }], all],
  ['during a later sign-in', [{ ...service, login: 'waiting-for-browser', hasSignedIn: true }], all],
] as const)('shows the views of services that they offer: %s', (_when, instances, expected) => {
  expect(shownViews(instances)).toEqual(expected)
  expect(isShown('doctor', instances)).toBe(true)
})
