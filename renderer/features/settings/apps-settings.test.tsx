import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AppsHere, ListedApp } from '../../../contract/apps'
import type { AppState } from '../../../contract/state'
import { emptyState } from '../../empty-state.testing'
import { openWindow, visitSection } from '../../fake-bridge.testing'

const apps: readonly ListedApp[] = [
  { id: 'firefox', name: 'Firefox', listed: false, installed: true, canOpen: true },
  { id: 'org.kde.kate', name: 'Kate', listed: true, installed: true, canOpen: true },
  { id: '/opt/bank/run', name: '/opt/bank/run', listed: true, installed: false },
]
const settings = { ...emptyState.settings, appsMode: 'except', apps: 'org.kde.kate,/opt/bank/run' } as const

async function openApps(state: Partial<AppState>, here: AppsHere = 'available', networkNames?: boolean) {
  const opened = await openWindow(state, (name) => ({
    ok: true,
    value: name === 'listApps' ? { here, apps, networkNames } : name === 'appIcon' ? {} : undefined,
  }))
  await visitSection(opened.user, 'Apps')
  return opened
}
const rows = async () => {
  const list = within(await screen.findByRole('list', { name: 'Chosen apps' }))
  return list
    .getAllByRole<HTMLInputElement>('checkbox')
    .map((box) => [box.labels?.[0]?.textContent, box.checked])
}

it('lists the chosen apps first, and finds others', async () => {
  const { user } = await openApps({ settings })
  expect(await rows()).toEqual([
    ['Kate', true],
    ['/opt/bank/run', true],
    ['Firefox', false],
  ])
  await user.type(screen.getByRole('searchbox', { name: 'Search apps' }), 'fox')
  expect(await rows()).toEqual([['Firefox', false]])
})

it('puts an app into the list, takes it out, and opens one once', async () => {
  const { user, ran } = await openApps({ settings })
  await user.click(await screen.findByRole('checkbox', { name: 'Firefox' }))
  await user.click(screen.getByRole('checkbox', { name: 'Kate' }))
  await user.click(screen.getByRole('button', { name: 'More for Firefox' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Open outside the VPN' }))
  await user.click(screen.getByRole('button', { name: 'Add a program…' }))
  const changes = ran.filter(({ name }) => !['listApps', 'appIcon'].includes(name))
  expect(changes).toEqual([
    { name: 'setApp', input: { app: 'firefox', listed: true } },
    { name: 'setApp', input: { app: 'org.kde.kate', listed: false } },
    { name: 'openApart', input: { app: 'firefox' } },
    { name: 'addAppByFile', input: undefined },
  ])
})

it('says what is outside the VPN now, and what could not be moved', async () => {
  const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
  await openApps({
    settings,
    connection: {
      state: 'connected',
      target,
      addresses: {},
      remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
      since: 0,
      apps: {
        mode: 'except',
        outside: ['org.kde.kate', '/opt/bank/run'],
        inside: [],
        running: ['org.kde.kate'],
        failed: [
          { app: '/opt/bank/run', why: 'limited' },
          { app: 'org.kde.kate', why: 'failed' },
          { app: '/opt/shop/run', why: 'limited' },
        ],
      },
    },
  })
  expect(await screen.findByText('Outside the VPN now: Kate')).toBeTruthy()
  const limited =
    "Couldn't be moved, because their control groups have limits: /opt/bank/run and /opt/shop/run"
  expect(screen.getByText(limited)).toBeTruthy()
  expect(screen.getByText("Couldn't be moved: Kate")).toBeTruthy()
})

it('offers apps without systemd, and says that later ones are not recognized', async () => {
  await openApps({ settings }, 'running-only')
  expect(await rows()).not.toEqual([])
  expect(screen.getByText(/an app that you start while connected isn't recognized/)).toBeTruthy()
})

it.each([
  ['no-cgroups', /control groups/],
  ['no-helper', /causeway helper install/],
  ['not-on-this-system', /Only on Linux/],
] as const)('offers nothing where the computer can not: %s', async (here, text) => {
  await openApps({}, here)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.queryByRole('combobox')).toBeNull()
})

it('leaves the list of the administrator as it is', async () => {
  await openApps({ settings, managedSettings: ['apps'] })
  expect(await screen.findByText('Set by your administrator.')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Kate' }).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Add a program…' })).toBeNull()
})

it.each([
  [{ appsNames: 'tunnel' }, 1],
  [{ appsNames: 'network' }, 0],
  // There, the choice has no effect.
  [{ appsNames: 'network', appsMode: 'only' }, 1],
] as const)('says that the VPN looks up the names only where it does: %o', async (some, count) => {
  await openApps({ settings: { ...settings, ...some } })
  await rows()
  expect(screen.queryAllByText(/with the VPN's DNS servers/)).toHaveLength(count)
})

it('offers what is for apps outside if a profile has some, whatever the others have', async () => {
  const only = { ...settings, appsMode: 'only' } as const
  const name = 'Apps outside the VPN while traffic is blocked'
  const first = await openApps({ settings: only })
  await rows()
  expect(screen.queryByRole('combobox', { name })).toBeNull()
  first.change({
    shortcuts: {
      ...emptyState.shortcuts,
      choices: [
        {
          instanceId: 'vpn.example.org',
          profileId: 'internet',
          protocol: 'auto',
          tcpOnly: false,
          appsMode: 'except',
        },
      ],
    },
  })
  expect(await screen.findByRole('combobox', { name })).toBeTruthy()
})

it('installs the helper, and then asks again what there is', async () => {
  const { user, ran } = await openApps({ settings: emptyState.settings, helper: 'installable' }, 'no-helper')
  await user.click(await screen.findByRole('button', { name: 'Install helper…' }))
  expect(ran.map(({ name }) => name).filter((name) => name !== 'appIcon')).toEqual([
    'listApps',
    'installHelper',
    'listApps',
  ])
})

it('offers to install the helper only where the app can', async () => {
  await openApps({ settings: emptyState.settings, helper: 'missing' }, 'no-helper')
  await screen.findByText(/Needs Causeway's helper/)
  expect(screen.queryByRole('button', { name: 'Install helper…' })).toBeNull()
})

it.each([
  [true, 'Which DNS servers these apps use'],
  [false, 'This has no effect here'],
])('says whether the choice of DNS servers has an effect: %s', async (networkNames, text) => {
  await openApps({ settings: { ...settings, appsNames: 'network' } }, 'available', networkNames)
  expect(await screen.findByText(text, { exact: false })).toBeDefined()
})
