import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ErrorReport } from '../../../contract/error-codes'
import { tones } from '../../../contract/describe-connection'
import type { AppState, InstanceSlice } from '../../../contract/state'
import { settingsSchema } from '../../../contract/settings'
import { AppLanguage } from '../../commands/models/app-language'
import { trayChangesAt, trayView, type TrayEntry, type TrayView } from './tray-view'

const language = new AppLanguage()

const instance: InstanceSlice = {
  id: 'vpn.example.org',
  address: 'https://vpn.example.org/',
  login: 'signed-in',
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
  managedSettings: [],
  organizationSearch: { available: false },
  shortcuts: { recent: [{ instanceId: 'vpn.example.org', profileId: 'office' }], starred: [] },
  inFront: true,
  update: { configured: false, progress: { stage: 'none' } },
  transfers: [],
  deletions: [],
}
const target = { instanceId: instance.id, profileId: 'internet' }
const connected: AppState['connection'] = {
  state: 'connected',
  target,
  addresses: {},
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
  allTraffic: true,
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  since: 0,
}

const view = (state: Partial<AppState>, now = 0): TrayView => trayView({ ...idle, ...state }, language.t, now)
const isConnect = (entry: TrayEntry): entry is Extract<TrayEntry, { kind: 'item' }> =>
  entry.kind === 'item' && entry.label.startsWith('Connect:')
const labels = ({ entries }: TrayView): string[] =>
  entries.map((entry) => (entry.kind === 'separator' ? '-' : entry.label))

it.each<[AppState['connection'], string, string]>([
  [{ state: 'idle' }, 'off', 'Causeway: Not connected'],
  [{ state: 'disconnected', target }, 'off', 'Causeway: Not connected'],
  [{ state: 'authorizing', target }, 'working', 'Causeway: Continue in your browser: vpn.example.org'],
  [connected, 'all', 'Causeway: Connected: vpn.example.org'],
  [{ ...connected, allTraffic: false }, 'on', 'Causeway: Connected: vpn.example.org'],
  [{ ...connected, allTraffic: undefined }, 'limited', 'Causeway: Connected, checking…: vpn.example.org'],
  [{ ...connected, passing: false }, 'limited', 'Causeway: No traffic gets through: vpn.example.org'],
  [
    { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' },
    'working',
    'Causeway: Reconnecting: vpn.example.org',
  ],
  [
    { state: 'failed', target, error: { code: 'http/unreachable', message: '' } },
    'failed',
    "Causeway: Couldn't connect: vpn.example.org",
  ],
])('shows the state %j as icon and text', (connection, icon, title) => {
  expect(view({ connection })).toMatchObject({ icon, title })
})

it('names a service as the person does', () => {
  const named = { ...instance, name: 'Example University' }
  const other = { ...instance, id: 'vpn.example.com', listing: { name: 'Institute', supportContacts: [] } }
  const shown = view({ connection: connected, instances: [named, other] })
  expect(shown.title).toBe('Causeway: Connected: Example University')
  expect(labels(shown)).toEqual(expect.arrayContaining(['Example University', 'Institute']))
  expect(labels(shown).join()).not.toContain('vpn.example')
})

it('offers the profiles, the last used first, while disconnected', () => {
  expect(labels(view({}))).toEqual([
    'Not connected',
    '-',
    'Connect: Office',
    'Connect: Internet',
    '-',
    'Show Causeway',
    'Quit',
  ])
  expect(view({}).entries[2]).toMatchObject({ action: { name: 'connect', input: { profileId: 'office' } } })
})

it('is amber while a profile that promises all traffic gets less', () => {
  const items = [{ profileId: 'internet', displayName: 'Internet', defaultGateway: true }]
  const instances = [{ ...instance, profiles: { status: 'loaded' as const, items } }]
  expect(view({ instances, connection: connected }).icon).toBe('all')
  expect(view({ instances, connection: { ...connected, allTraffic: false } }).icon).toBe('limited')
  const noRoutes = { ...connected, allTraffic: false, routes: [] }
  expect(view({ connection: noRoutes }).icon).toBe('limited')
})

it('offers the starred profiles before the recent ones', () => {
  const starred = [{ instanceId: instance.id, profileId: 'internet' }]
  const shown = labels(view({ shortcuts: { ...idle.shortcuts, starred } }))
  expect(shown.filter((label) => label.startsWith('Connect'))).toEqual([
    'Connect: Internet',
    'Connect: Office',
  ])
})

it('offers no profile that Causeway does not support', () => {
  const items = [
    { profileId: 'wg', displayName: 'WireGuard', notSupported: true as const },
    { profileId: 'office', displayName: 'Office' },
  ]
  const shown = view({ instances: [{ ...instance, profiles: { status: 'loaded', items } }] })
  expect(labels(shown)).toEqual(['Not connected', '-', 'Connect: Office', '-', 'Show Causeway', 'Quit'])
})

it('gives each service its share of the profiles', () => {
  const many = (id: string, count: number): InstanceSlice => ({
    ...instance,
    id,
    profiles: {
      status: 'loaded',
      items: Array.from({ length: count }, (_, index) => ({
        profileId: `p${index}`,
        displayName: `${id} ${index}`,
      })),
    },
  })
  const recent = [{ instanceId: 'large', profileId: 'p29' }]
  const shown = view({
    instances: [many('large', 30), many('middle', 5), many('small', 2)],
    shortcuts: { recent, starred: [] },
  })
  const offered = shown.entries.flatMap((entry) => (isConnect(entry) ? [entry.label] : []))
  expect(offered).toEqual([
    ...['large 29', 'large 0', 'large 1', 'large 2'].map((name) => `Connect: ${name}`),
    ...['middle 0', 'middle 1', 'middle 2', 'middle 3'].map((name) => `Connect: ${name}`),
    ...['small 0', 'small 1'].map((name) => `Connect: ${name}`),
  ])
  expect(labels(shown)).toContain('More profiles in the window')
})

it('says where a sign-in goes on, keeps the icon of the tunnel, and offers what the stage does', () => {
  const waiting = { login: 'waiting-for-browser', browser: { until: 1 } } as const
  const other = { ...instance, id: 'other.example.org', address: 'https://other.example.org/', ...waiting }
  const shown = view({ connection: connected, instances: [instance, other] })
  expect(shown.title).toBe('Causeway: Continue in your browser: other.example.org')
  expect(shown.icon).toBe('all')
  const input = { instanceId: other.id }
  expect(shown.entries.slice(1, 5)).toEqual([
    { kind: 'item', label: 'Cancel', action: { name: 'cancelLogIn', input } },
    { kind: 'item', label: 'Open browser again', action: { name: 'openLogInAgain', input } },
    { kind: 'item', label: 'Copy link', action: { name: 'copyLogInLink', input } },
    { kind: 'item', label: 'Disconnect', action: { name: 'disconnect', input: undefined } },
  ])
})

describe('beside the profiles', () => {
  const error = (code: ErrorReport['code']): AppState['connection'] => ({
    state: 'failed',
    target,
    error: { code, message: '' },
  })
  const reconnecting = { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' } as const
  const before = { login: 'signed-in', ends: { at: 90, renewableFrom: 50 } } as const

  it.each<[string, Partial<AppState>, readonly string[]]>([
    ['an attempt', { connection: { state: 'authorizing', target } }, ['Cancel']],
    ['a lost connection', { connection: reconnecting }, ['Disconnect', 'Try now']],
    [
      'a connection of another process that is lost',
      { connection: reconnecting, heldBy: { kind: 'terminal', pid: 1 } },
      ['Disconnect'],
    ],
    [
      'a server from which nothing comes back',
      { connection: { ...connected, passing: false } },
      ['Disconnect', 'Try another server', 'Try TCP'],
    ],
    [
      'routes that are gone',
      { connection: { ...connected, allTraffic: false, routes: [] } },
      ['Disconnect', 'Reconnect', 'Check this computer', 'Copy for help desk'],
    ],
    [
      'a network that blocks UDP',
      { connection: error('openvpn/unreachable') },
      ['Try TCP', 'Try again', 'Check this computer', 'Copy for help desk'],
    ],
    [
      'a helper that is missing',
      { connection: error('helper/not-installed'), helper: 'installable' },
      ['Install helper…', 'Try again', 'Check this computer'],
    ],
    [
      'an OpenVPN that is missing',
      { connection: error('openvpn/not-found') },
      ['Choose OpenVPN…', 'Try again', 'Check this computer'],
    ],
    ['blocked traffic', { killSwitch: { here: 'available', blocks: true } }, ['Reconnect', 'Allow traffic']],
    [
      'access that has ended',
      { connection: error('session/over'), instances: [{ ...instance, ...before }] },
      ['Renew access to vpn.example.org'],
    ],
    ['the end of an attempt', { connection: { state: 'disconnecting', target } }, []],
    [
      'a switch to another profile',
      { connection: { state: 'disconnecting', target, switching: true } },
      ['Cancel'],
    ],
  ])('offers what the window does: %s', (_, state, steps) => {
    const shown = labels(view(state, 10))
    expect(shown.slice(1, shown.indexOf('-'))).toEqual(steps)
  })

  it('does the same as the window', () => {
    const actions = (state: Partial<AppState>, now: number) =>
      view(state, now).entries.flatMap((entry) => (entry.kind === 'item' ? [entry.action] : []))
    expect(actions({ connection: error('openvpn/unreachable') }, 0).slice(0, 3)).toEqual([
      { name: 'connect', input: { ...target, preferTcp: true } },
      { name: 'connect', input: target },
      { view: 'doctor' },
    ])
    const over = [{ ...instance, ...before }]
    const renewed = { name: 'renewSession', input: { instanceId: target.instanceId, profileId: 'internet' } }
    expect(actions({ connection: error('session/over'), instances: over }, 95)[0]).toEqual(renewed)
    const ending = [{ ...instance, ...before, ends: { ...before.ends, endsTunnel: true as const } }]
    expect(actions({ connection: connected, instances: ending }, 60)[1], 'which asks first').toEqual({
      view: 'connection',
    })
  })
})

it('offers to disconnect or switch the profile while connected', () => {
  const shown = view({ connection: connected })
  expect(labels(shown)).toEqual([
    'Connected: vpn.example.org',
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

it('shows that traffic is blocked without a tunnel', () => {
  expect(view({ killSwitch: { here: 'available', blocks: true } })).toMatchObject({
    icon: 'blocked',
    title: 'Causeway: Traffic blocked',
  })
})

it('offers no profiles while another process holds the tunnel', () => {
  const shown = view({ connection: connected, heldBy: { kind: 'terminal', pid: 1 } })
  expect(labels(shown)).toEqual(['Connected: vpn.example.org', 'Disconnect', '-', 'Show Causeway', 'Quit'])
})

it('offers to renew from the given time, and returns when that is', () => {
  const state = { instances: [{ ...instance, ends: { at: 90, renewableFrom: 50 } }] }
  expect(labels(view(state, 49))).not.toContain('Renew access to vpn.example.org')
  expect(trayChangesAt({ ...idle, ...state }, 49)).toBe(50)
  expect(labels(view(state, 50))).toContain('Renew access to vpn.example.org')
  expect(trayChangesAt({ ...idle, ...state }, 50)).toBe(90)
  expect(trayChangesAt({ ...idle, ...state }, 90)).toBeUndefined()
})

it('offers nothing but to renew where access has ended', () => {
  const over = { ...instance, ends: { at: 90, renewableFrom: 50 } }
  const other = { ...instance, id: 'other.example.org' }
  const at = (now: number) => labels(view({ instances: [over, other] }, now))
  expect(at(89).filter((label) => label === 'Connect: Office')).toHaveLength(2)
  expect(at(90).filter((label) => label === 'Connect: Office')).toHaveLength(1)
  expect(at(90)).toContain('Renew access to vpn.example.org')
  const error = { code: 'session/over', message: '' } as const
  const signedOut: InstanceSlice = { ...instance, login: 'signed-out' }
  const failed = labels(view({ instances: [signedOut], connection: { state: 'failed', target, error } }))
  expect(failed).toContain('Renew access to vpn.example.org')
  expect(failed).not.toContain('Connect: Office')
})

it('limits the number of profiles and the length of names', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({
    profileId: `p${index}`,
    displayName: `Line\nbreak ${'x'.repeat(100)}`,
  }))
  const shown = view({
    instances: [instance, { ...instance, id: 'other.example.org', profiles: { status: 'loaded', items } }],
  })
  const connects = shown.entries.filter(isConnect)
  expect(connects).toHaveLength(10)
  expect(labels(shown)).toContain('More profiles in the window')
  expect(labels(shown)).toContain('other.example.org')
  for (const label of labels(shown)) expect(label).toMatch(/^.{1,80}$/)
})

it.each([...tones, 'all'])('has icons for %s on each system', async (icon) => {
  const icons = await readdir(join(import.meta.dirname, '../../../build/icons'))
  for (const suffix of ['', '@2x', '-24', '-24@2x', 'Template', 'Template@2x'])
    expect(icons).toContain(`tray-${icon}${suffix}.png`)
})
