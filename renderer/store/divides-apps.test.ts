import { expect, it } from 'vitest'
import type { ProfileChoice } from '../../contract/connection'
import type { AppState } from '../../contract/state'
import { emptyState } from '../empty-state.testing'
import { dividesApps } from './divides-apps'

const { settings } = emptyState
const choice: ProfileChoice = {
  instanceId: 'vpn.example.org',
  profileId: 'internet',
  protocol: 'auto',
  tcpOnly: true,
}

it.each<[string, Partial<AppState['settings']>, Partial<AppState['shortcuts']>, boolean]>([
  ['nobody has chosen anything', {}, {}, false],
  ['a profile has other choices', {}, { choices: [choice] }, false],
  ['a way is chosen for all profiles', { appsMode: 'except' }, {}, true],
  ['apps are listed, which the way of a profile needs', { apps: 'firefox' }, {}, true],
  ['a way is chosen for one profile', {}, { choices: [choice, { ...choice, appsMode: 'all' }] }, true],
])('tells whether apps are divided if %s', (_when, chosen, shortcuts, expected) => {
  const state = { settings: { ...settings, ...chosen }, shortcuts: { ...emptyState.shortcuts, ...shortcuts } }
  expect(dividesApps(state)).toBe(expected)
})
