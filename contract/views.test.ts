import { expect, it } from 'vitest'
import { isShown, shownViews } from './views'

const service = {
  login: 'signed-out',
  profiles: { items: [] },
  services: { attachments: true, content: true, organizations: false },
} as const
const alone = ['connection', 'settings']
const all = ['connection', 'messages', 'attachments', 'news', 'settings']

it.each([
  ['without a service', [], alone],
  ['before somebody has signed in', [service], alone],
  ['during the first sign-in', [{ ...service, login: 'waiting-for-browser' }], alone],
  ['after it', [{ ...service, login: 'signed-in' }], all],
  ['while the login is not read yet', [{ ...service, login: 'unknown' }], all],
  ['after signing out', [{ ...service, loggedOut: true }], all],
  ['after the end of access', [{ ...service, ends: { at: 0 } }], all],
  ['while access is renewed', [{ ...service, login: 'waiting-for-browser', renewing: true }], all],
  ['with profiles from before', [{ ...service, profiles: { items: [{}] } }], all],
] as const)('shows the views of services that they offer: %s', (_when, instances, expected) => {
  expect(shownViews(instances)).toEqual(expected)
  expect(isShown('doctor', instances)).toBe(true)
})
