import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn, visit, visitSection } from '../../fake-bridge.testing'
import { settingName } from '../../../contract/settings'
import { loadTexts } from '../../../contract/locales/texts'

/** Command that opening the view runs. */
const looked = { name: 'refreshKillSwitch', input: undefined }

describe('settings', () => {
  it('change language and theme', async () => {
    const { user, ran } = await openWindow()
    await visit(user, 'Settings')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Nederlands')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Theme' }), 'Dark')
    expect(ran).toEqual([
      { name: 'setSetting', input: { name: 'language', value: 'nl' } },
      { name: 'setSetting', input: { name: 'theme', value: 'dark' } },
    ])
  })

  it('apply the chosen language and theme at once', async () => {
    const { change } = await openWindow()
    change({
      wording: {
        language: 'nl',
        locale: 'nl',
        direction: 'ltr',
        texts: JSON.stringify(await loadTexts('nl')),
      },
      settings: { ...emptyState.settings, theme: 'dark' },
    })
    expect(await screen.findByRole('button', { name: 'Doorgaan' })).toBeTruthy()
    expect(document.documentElement.lang).toBe('nl')
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  })

  it('remove an instance only after confirmation', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    await visitSection(user, 'Services')
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await user.click(screen.getByRole('button', { name: 'Keep' }))
    expect(ran).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await user.click(screen.getByRole('button', { name: 'Remove vpn.example.org' }))
    expect(ran).toEqual([{ name: 'removeInstance', input: { instanceId: 'vpn.example.org' } }])
  })

  it('turn each connection option on and off, with a description', async () => {
    const { user, ran, change } = await openWindow()
    await visitSection(user, 'Connection')
    const reconnect = await screen.findByRole('switch', { name: 'Reconnect automatically' })
    expect(screen.getByText(/^Reconnects when the connection is lost/)).toBeTruthy()
    await user.click(reconnect)
    await user.click(screen.getByRole('switch', { name: 'Kill switch' }))
    await user.click(screen.getByRole('switch', { name: 'Use TCP only' }))
    await user.click(screen.getByRole('switch', { name: 'Connect when Causeway starts' }))
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Servers to try' }),
      'All servers and ports',
    )
    const set = (name: string, value: string) => ({ name: 'setSetting', input: { name, value } })
    expect(ran).toEqual([
      looked,
      set('reconnect', 'false'),
      set('killSwitch', 'true'),
      set('preferTcp', 'true'),
      set('autoConnect', 'true'),
      set('remoteStrategy', '2'),
    ])
    expect(reconnect, 'until main has saved it').toHaveProperty('checked', true)
    change({ settings: { ...emptyState.settings, reconnect: false } })
    expect(reconnect).toHaveProperty('checked', false)
  })

  it("revert a switch that couldn't be saved, and show why", async () => {
    const error = { code: 'data/unwritable', message: '', details: { path: '/home/ann/x' } } as const
    const { user } = await openWindow({}, () => ({ ok: false, error }))
    await visitSection(user, 'Connection')
    const preferTcp = await screen.findByRole('switch', { name: 'Use TCP only' })
    await user.click(preferTcp)
    expect(screen.getByRole('alert').textContent).toContain('/home/ann/x')
    expect(preferTcp).toHaveProperty('checked', false)
    expect(preferTcp).toHaveProperty('disabled', false)
  })

  it.each([
    ['no-helper', 'causeway helper install'],
    ['no-nft', 'nftables'],
    ['not-on-this-system', 'Not supported on this system'],
  ] as const)('do not offer a kill switch (%s), say why, and let one be turned off', async (here, why) => {
    const { user, ran, change } = await openWindow({ killSwitch: { here, blocks: false } })
    await visitSection(user, 'Connection')
    const killSwitch = await screen.findByRole('switch', { name: 'Kill switch' })
    expect(killSwitch).toHaveProperty('disabled', true)
    expect(screen.getByText(/^Blocks all traffic/).textContent).toContain(why)
    change({ settings: { ...emptyState.settings, killSwitch: true } })
    await user.click(killSwitch)
    expect(ran).toContainEqual({ name: 'setSetting', input: { name: 'killSwitch', value: 'false' } })
  })

  it('install the helper beside the kill switch that needs it, where that is possible', async () => {
    const { user, ran, change } = await openWindow({ killSwitch: { here: 'no-helper', blocks: false } })
    await visitSection(user, 'Connection')
    await screen.findByRole('switch', { name: 'Kill switch' })
    expect(screen.queryByRole('button', { name: 'Install helper…' })).toBeNull()
    change({ helper: 'installable' })
    await user.click(screen.getByRole('button', { name: 'Install helper…' }))
    expect(ran.at(-1)).toEqual({ name: 'installHelper', input: undefined })
    change({ helper: 'usable', killSwitch: { here: 'available', blocks: false } })
    expect(screen.queryByRole('button', { name: 'Install helper…' })).toBeNull()
  })

  it("show why they couldn't be saved", async () => {
    const error = {
      code: 'data/unwritable',
      message: '',
      details: { path: '/home/ann/settings.json' },
    } as const
    const { user } = await openWindow({}, () => ({ ok: false, error }))
    await visit(user, 'Settings')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Theme' }), 'Light')
    expect(screen.getByRole('alert').textContent).toContain('/home/ann/settings.json')
  })

  it('turn background operation on and off', async () => {
    const { user, ran } = await openWindow()
    await visit(user, 'Settings')
    await user.click(await screen.findByRole('switch', { name: 'Notifications' }))
    await user.click(screen.getByRole('switch', { name: 'Keep running when the window is closed' }))
    await user.click(screen.getByRole('switch', { name: 'Start when you sign in to this computer' }))
    expect(ran).toEqual([
      { name: 'setSetting', input: { name: 'notifications', value: 'false' } },
      { name: 'setSetting', input: { name: 'closeToTray', value: 'false' } },
      { name: 'setSetting', input: { name: 'startAtLogin', value: 'true' } },
    ])
  })
})

describe('the sections of the settings', () => {
  it('have a page each, whose heading gets the focus', async () => {
    const { user } = await openWindow({}, (name) => ({
      ok: true,
      value: name === 'listApps' ? { here: 'not-on-this-system', apps: [] } : undefined,
    }))
    await visit(user, 'Settings')
    const list = within(await screen.findByRole('list', { name: 'Sections' }))
    const names = list.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names).toEqual([
      'General',
      'Connection',
      'Apps',
      'Services',
      'List of organizations',
      'Support',
      'About',
    ])
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    for (const name of names.toReversed()) {
      await user.click(list.getByRole('button', { name }))
      const heading = await screen.findByRole('heading', { level: 2 })
      expect(heading.textContent).toBe(name)
      expect(document.activeElement).toBe(heading)
      expect(screen.getByRole('region', { name })).toBeTruthy()
      expect(list.getByRole('button', { current: 'page' }).textContent).toBe(name)
    }
  })
})

describe('the sections of the settings in a narrow window', () => {
  it('are in one line, with those that would be in the next one in a menu', async () => {
    vi.spyOn(HTMLLIElement.prototype, 'getBoundingClientRect').mockImplementation(function top(
      this: HTMLLIElement,
    ) {
      return new DOMRect(0, /^(General|Connection|Apps|Services)$/.test(this.textContent) ? 0 : 68)
    })
    const { user } = await openWindow()
    await visit(user, 'Settings')
    const more = within(await screen.findByRole('main')).getByRole('button', { name: 'More' })
    await user.click(more)
    const choices = screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent)
    expect(choices).toEqual(['List of organizations', 'Support', 'About'])
    await user.click(screen.getByRole('menuitemradio', { name: 'Support' }))
    expect(document.activeElement).toBe(await screen.findByRole('heading', { level: 2, name: 'Support' }))
  })
})

it('shows all sections of the settings again where they fit without the menu', async () => {
  let width = 400
  let changed = (): void => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onChange: () => void) {
        changed = onChange
      }
      readonly observe = (): void => undefined
      readonly unobserve = (): void => undefined
      readonly disconnect = (): void => undefined
    },
  )
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width)
  // With the menu beside it, the last one is in the next line.
  vi.spyOn(HTMLLIElement.prototype, 'getBoundingClientRect').mockImplementation(function box(
    this: HTMLLIElement,
  ) {
    return new DOMRect(0, this.textContent === 'About' ? 68 : 0, 100, 36)
  })
  const { user } = await openWindow()
  await visit(user, 'Settings')
  const main = within(await screen.findByRole('main'))
  expect(main.getByRole('button', { name: 'More' })).toBeDefined()
  width = 700
  act(() => {
    changed()
  })
  expect(main.queryByRole('button', { name: 'More' })).toBeNull()
})

describe('the OpenVPN program', () => {
  const shown = () => screen.findByRole('group', { name: 'OpenVPN' })

  it("is chosen in a system dialog and can't be typed", async () => {
    const { user, ran, change } = await openWindow()
    await visitSection(user, 'Connection')
    expect((await shown()).textContent).toContain('Detected automatically')
    expect(within(await shown()).queryByRole('textbox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Choose…' }))
    expect(ran).toEqual([looked, { name: 'setOpenVpn', input: { by: 'dialog' } }])
    change({ settings: { ...emptyState.settings, openvpnPath: '/opt/openvpn' } })
    expect((await shown()).textContent).toContain('/opt/openvpn')
  })

  it('is detected automatically again on request', async () => {
    const { user, ran, change } = await openWindow()
    await visitSection(user, 'Connection')
    await shown()
    expect(screen.queryByRole('button', { name: 'Detect automatically' })).toBeNull()
    change({ settings: { ...emptyState.settings, openvpnPath: '/opt/openvpn' } })
    await user.click(await screen.findByRole('button', { name: 'Detect automatically' }))
    expect(ran.at(-1)).toEqual({ name: 'setOpenVpn', input: { by: 'detection' } })
  })

  it("doesn't change if the chosen file isn't OpenVPN, and shows why", async () => {
    const error = { code: 'openvpn/not-found', message: '', details: { path: '/bin/true' } } as const
    const { user } = await openWindow({}, (name) =>
      name === 'setOpenVpn' ? { ok: false, error } : { ok: true },
    )
    await visitSection(user, 'Connection')
    await user.click(await screen.findByRole('button', { name: 'Choose…' }))
    expect((await screen.findByRole('alert')).textContent).toContain('/bin/true')
    expect((await shown()).textContent).toContain('Detected automatically')
  })
})

describe('settings that the administrator has set', () => {
  it('say so and stay as they are', async () => {
    const managedSettings = settingName.options.filter((name) => name !== 'startAtLogin')
    const { user, ran } = await openWindow({
      managedSettings,
      settings: { ...emptyState.settings, killSwitch: true },
    })
    const locked = async (section: string, role: string, names: readonly string[]): Promise<void> => {
      await visitSection(user, section)
      for (const name of names)
        expect(await screen.findByRole(role, { name })).toHaveProperty('disabled', true)
    }
    await locked('General', 'combobox', ['Language', 'Theme'])
    await locked('General', 'switch', ['Notifications'])
    expect(screen.getByRole('switch', { name: 'Start when you sign in to this computer' })).toHaveProperty(
      'disabled',
      false,
    )
    await locked('Connection', 'switch', ['Kill switch', 'Reconnect automatically', 'Use TCP only'])
    await locked('Connection', 'combobox', ['Servers to try'])
    expect(screen.getByRole('switch', { name: 'Kill switch' })).toHaveProperty('checked', true)
    expect(screen.getAllByText('Set by your administrator.').length).toBeGreaterThan(5)
    expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull()
    expect(ran.filter(({ name }) => name !== looked.name)).toEqual([])
  })

  it('keep an instance that the administrator has added', async () => {
    const { user } = await openWindow({ instances: [{ ...signedIn, managed: true }] })
    await visitSection(user, 'Services')
    expect(await screen.findByText('Added by your administrator.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
    expect(screen.getByRole('button', { name: /^Settings of/ })).toBeTruthy()
  })
})
