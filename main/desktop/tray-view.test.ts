import { expect, it } from 'vitest'
import type { AppState, InstanceSlice } from '../../contract/state'
import { settingsSchema } from '../../contract/settings'
import { AppLanguage } from './app-language'
import { trayChangesAt, trayView, type TrayView } from './tray-view'

const language = new AppLanguage()

const instance: InstanceSlice = {
  id: 'vpn.example.org',
  address: 'https://vpn.example.org/',
  login: 'signed-in',
  lastProfileId: 'office',
  profiles: {
    status: 'loaded',
    items: [
      { profileId: 'internet', displayName: 'Internet' },
      { profileId: 'office', displayName: 'Office' },
    ],
  },
  messages: { status: 'loaded', items: [] },
}
const idle: AppState = {
  wording: language.wording,
  settings: settingsSchema.parse({}),
  killSwitch: { here: 'available', blocks: false },
  instances: [instance],
  connection: { state: 'idle' },
  notices: [],
  shown: {},
  inFront: true,
  transfers: [],
  deletions: [],
}
const target = { instanceId: instance.id, profileId: 'internet' }
const connected: AppState['connection'] = {
  state: 'connected',
  target,
  addresses: {},
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
  since: 0,
}

const view = (state: Partial<AppState>, now = 0): TrayView => trayView({ ...idle, ...state }, language.t, now)
const labels = ({ entries }: TrayView): string[] =>
  entries.map((entry) => (entry.kind === 'separator' ? '-' : entry.label))

it.each<[AppState['connection'], string, string]>([
  [{ state: 'idle' }, 'off', 'Causeway: Disconnected'],
  [{ state: 'disconnected', target }, 'off', 'Causeway: Disconnected'],
  [{ state: 'authorizing', target }, 'working', 'Causeway: Connecting to vpn.example.org'],
  [connected, 'on', 'Causeway: Connected to vpn.example.org'],
  [
    { state: 'reconnecting', target, reason: 'other', attempt: 1 },
    'working',
    'Causeway: Reconnecting to vpn.example.org',
  ],
  [
    { state: 'failed', target, error: { code: 'http/unreachable', message: '' } },
    'trouble',
    'Causeway: Not connected to vpn.example.org',
  ],
])('says the state %j in mark and words', (connection, tone, title) => {
  expect(view({ connection })).toMatchObject({ tone, title })
})

it('offers the profiles, the last used one first, while there is no tunnel', () => {
  expect(labels(view({}))).toEqual([
    'Disconnected',
    '-',
    'Connect: Office',
    'Connect: Internet',
    '-',
    'Show Causeway',
    'Quit',
  ])
  expect(view({}).entries[2]).toMatchObject({ action: { does: 'connect', profileId: 'office' } })
})

it('offers to disconnect, or to take another profile, while there is one', () => {
  const shown = view({ connection: connected })
  expect(labels(shown)).toEqual([
    'Connected to vpn.example.org',
    'Disconnect',
    '-',
    'Connect: Office',
    'Internet',
    '-',
    'Show Causeway',
    'Quit',
  ])
  expect(shown.entries[4]).toEqual({ kind: 'line', label: 'Internet', inUse: true })
})

it('says that traffic is blocked, which no tunnel explains', () => {
  expect(view({ killSwitch: { here: 'available', blocks: true } })).toMatchObject({
    tone: 'trouble',
    title: 'Causeway: Traffic blocked',
  })
})

it('takes nothing over from another process', () => {
  const shown = view({ connection: connected, heldBy: { kind: 'terminal', pid: 1 } })
  expect(labels(shown)).toEqual(['Connected to vpn.example.org', 'Disconnect', '-', 'Show Causeway', 'Quit'])
})

it('offers to renew when that is worth it, and knows when it will be', () => {
  const state = { instances: [{ ...instance, ends: { at: 90, renewableFrom: 50 } }] }
  expect(labels(view(state, 49))).not.toContain('Renew login for vpn.example.org')
  expect(trayChangesAt({ ...idle, ...state }, 49)).toBe(50)
  expect(labels(view(state, 50))).toContain('Renew login for vpn.example.org')
  expect(trayChangesAt({ ...idle, ...state }, 50)).toBeUndefined()
})

it('stays a menu with many profiles of several instances, and with names that are none', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({
    profileId: `p${index}`,
    displayName: `Line\nbreak ${'x'.repeat(100)}`,
  }))
  const shown = view({
    instances: [instance, { ...instance, id: 'other.example.org', profiles: { status: 'loaded', items } }],
  })
  const connects = shown.entries.filter((entry) => entry.kind === 'item' && entry.action.does === 'connect')
  expect(connects).toHaveLength(10)
  expect(labels(shown)).toContain('More profiles in the window')
  expect(labels(shown)).toContain('other.example.org')
  for (const label of labels(shown)) expect(label).toMatch(/^.{1,80}$/)
})
