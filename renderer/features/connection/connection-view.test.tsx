import { act, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { ErrorCode } from '../../../contract/error-codes'
import type { InstanceSlice, ProfileItem } from '../../../contract/state'
import { englishTexts } from '../../../contract/locales/texts'
import { emptyState } from '../../empty-state.testing'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
const connected: ConnectionState = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
  remote,
  cipher: 'AES-256-GCM',
  allTraffic: true,
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  since: Date.now() - 61_000,
}

const opened = { settings: { ...emptyState.settings, connectionDetails: true } }

const header = () => within(screen.getByRole('region', { name: 'Connection' }))
const region = (): HTMLElement => screen.getByRole('region', { name: 'Connection' })
const statusText = (): string => screen.getByRole('status').textContent
const buttons = (): string[] =>
  header()
    .getAllByRole('button')
    .filter((button) => button.getAttribute('aria-label')?.includes('Choose another profile') !== true)
    .map((button) => button.getAttribute('aria-label')?.replace(/:.*/, '') ?? button.textContent)
    .filter((name) => name !== 'Details')
const tone = (): string | null => region().getAttribute('data-tone')

/** Clicks with a key: clicks of the mouse shortly after a change are ignored. */
async function press(user: UserEvent, button: HTMLElement): Promise<void> {
  button.focus()
  await user.keyboard('{Enter}')
}

function failed(code: ErrorCode): ConnectionState {
  return { state: 'failed', target, error: { code, message: '' } }
}

function offering(...items: ProfileItem[]): InstanceSlice {
  return { ...signedIn, profiles: { status: 'loaded', items } }
}

/** The text of the error, with its code. */
function errorText(): string {
  return screen.getByRole('alert').parentElement?.textContent ?? ''
}

describe('the connection', () => {
  describe('the DNS servers', () => {
    const servers = ['10.42.0.1', 'fd00::1']

    function stageText(): string {
      return screen.getByText('DNS servers').nextElementSibling?.textContent ?? ''
    }

    it('are shown and can be copied one by one', async () => {
      const dns = { servers, domains: [], applied: true }
      const { user, ran } = await openWindow({
        ...opened,
        instances: [signedIn],
        connection: { ...connected, dns },
      })
      expect(stageText()).toBe('10.42.0.1fd00::1')
      await user.click(screen.getByRole('button', { name: 'Copy 10.42.0.1' }))
      expect(ran.filter(({ name }) => name === 'copyText')).toEqual([
        { name: 'copyText', input: { text: '10.42.0.1' } },
      ])
    })

    it('are shown with the domains that they are limited to', async () => {
      const dns = { servers, domains: ['example.org', 'example.com'], applied: true }
      const { change } = await openWindow({
        ...opened,
        instances: [signedIn],
        connection: { ...connected, allTraffic: false, dns },
      })
      expect(stageText()).toContain('Only for example.org and example.com')
      change({ connection: { ...connected, allTraffic: false, dns: { ...dns, allNames: true } } })
      expect(stageText()).toContain('Asked for every name')
      expect(stageText()).not.toContain('example.org')
      change({ connection: { ...connected, allTraffic: true, dns } })
      expect(stageText()).toBe('10.42.0.1fd00::1')
      change({ connection: { ...connected, allTraffic: false, allIpv4: true, dns } })
      expect(stageText()).toBe('10.42.0.1fd00::1')
      change({ connection: { ...connected, allTraffic: false, outside: ['203.0.113.0/24'], dns } })
      expect(stageText()).toBe('10.42.0.1fd00::1')
      change({ connection: { ...connected, allTraffic: false, dns: { ...dns, domains: ['.'] } } })
      expect(stageText()).toBe('10.42.0.1fd00::1')
    })

    it("are reported as not in use if they couldn't be set", async () => {
      const dns = { servers, domains: [], applied: false }
      const { change } = await openWindow({
        ...opened,
        instances: [signedIn],
        connection: { ...connected, dns },
      })
      expect(stageText()).toContain("Not in use: they couldn't be set.")
      expect(statusText()).toContain('DNS queries bypass the VPN')
      change({ connection: { ...connected, dns: { ...dns, problem: 'immutable' } } })
      expect(stageText()).toContain('Not in use: /etc/resolv.conf is immutable (chattr +i).')
      change({ connection: { ...connected, allTraffic: false, dns, dnsOutside: servers.slice(0, 1) } })
      expect(stageText()).toContain('Reached outside the VPN: 10.42.0.1')
      change({ connection: { ...connected, dns: undefined } })
      expect(screen.queryByText('DNS servers')).toBeNull()
    })
  })

  it('lists the routes of the tunnel in its details', async () => {
    const routes = ['10.99.0.0/16', 'fd99::/48']
    const { change } = await openWindow({
      ...opened,
      instances: [signedIn],
      connection: { ...connected, allTraffic: false, routes },
    })
    expect(screen.getByText('Routes').parentElement?.textContent).toBe('Routes10.99.0.0/16fd99::/48')
    change({ connection: { ...connected, allTraffic: false, routes: [] } })
    expect(screen.queryByText('Routes')).toBeNull()
  })

  it('connects with the profile whose button is pressed', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    const office = screen.getByText('Office').closest('li')
    if (office === null) throw new Error('The profile is not in a list item.')
    const button = within(office).getByRole('button', { name: 'Connect: Office' })
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      "organization's networks only",
    )
    await user.click(button)
    expect(ran).toEqual([{ name: 'connect', input: { instanceId: signedIn.id, profileId: 'office' } }])
  })

  it("shows the terminal's connection, ends it, and offers to connect here instead", async () => {
    const heldBy = { kind: 'terminal', pid: 4711 } as const
    const { user, ran } = await openWindow({ instances: [signedIn], connection: connected, heldBy })
    expect(region().textContent).toContain('The terminal command (process 4711) is using this connection.')
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    // The profile that the terminal uses is offered too.
    for (const button of screen.getAllByRole('button', { name: /^Connect here instead: / }))
      await user.click(button)
    expect(ran.filter(({ name }) => name !== 'watchTraffic')).toEqual([
      { name: 'disconnect', input: undefined },
      { name: 'connect', input: { instanceId: signedIn.id, profileId: 'internet', takeOver: true } },
      { name: 'connect', input: { instanceId: signedIn.id, profileId: 'office', takeOver: true } },
    ])
  })

  it.each<[ConnectionState, string, string]>([
    [{ state: 'idle' }, 'Not connected', "Your traffic doesn't use the VPN."],
    [{ state: 'discovering', target }, 'Connecting', 'Looking up vpn.example.org'],
    [{ state: 'authorizing', target }, 'Continue in your browser', 'Sign in and approve Causeway there.'],
    [{ state: 'preparing', target }, 'Connecting', 'Getting your configuration'],
    [
      { state: 'connecting', target, phase: 'contacting', remote },
      'Connecting',
      'Contacting 192.0.2.7:1194 (UDP)',
    ],
    [{ state: 'connecting', target, phase: 'tls' }, 'Connecting', 'Verifying the server'],
    [
      { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' },
      'Reconnecting',
      'The server stopped responding.',
    ],
    [
      {
        state: 'reconnecting',
        target,
        reason: 'network-down',
        attempt: 1,
        routes: 'kept',
        waitingForNetwork: true,
      },
      'Reconnecting',
      "There's no network.",
    ],
    [
      {
        state: 'reconnecting',
        target,
        reason: 'unreachable',
        attempt: 1,
        routes: 'kept',
        notYetConnected: true,
        nextAttemptAt: 0,
      },
      'Connecting',
      'Next attempt at',
    ],
    [
      {
        state: 'reconnecting',
        target,
        reason: 'unreachable',
        attempt: 1,
        routes: 'kept',
        notYetConnected: true,
        waitingForNetwork: true,
      },
      'Connecting',
      'Causeway connects when there is one',
    ],
    [{ state: 'disconnecting', target }, 'Disconnecting', 'Disconnecting from'],
    [{ state: 'disconnecting', target, switching: true }, 'Switching', 'Switching to Internet access…'],
    [{ state: 'preparing', target, switching: true }, 'Switching', 'Switching to Internet access…'],
    [
      { state: 'disconnecting', target, switching: true, again: true },
      'Reconnecting',
      'Reconnecting to vpn.example.org…',
    ],
    [
      { state: 'preparing', target, switching: true, again: true },
      'Reconnecting',
      'Getting your configuration',
    ],
    [
      { state: 'disconnected', target, by: { kind: 'terminal', pid: 4711, takesOver: false } },
      'Not connected',
      'The terminal command (process 4711) disconnected from vpn.example.org',
    ],
    [{ state: 'disconnected', target }, 'Not connected', "Your traffic doesn't use the VPN."],
    [{ state: 'disconnecting', target, notYetConnected: true }, 'Disconnecting', 'Cancelling'],
    [
      { state: 'disconnected', target, notYetConnected: true },
      'Not connected',
      'The connection to vpn.example.org was cancelled.',
    ],
    [
      {
        state: 'disconnected',
        target,
        notYetConnected: true,
        by: { kind: 'terminal', pid: 4711, takesOver: true },
      },
      'Not connected',
      'The terminal command (process 4711) took over the connection to vpn.example.org',
    ],
  ])('shows state %j as %s: %s', async (connection, word, sentence) => {
    await openWindow({ instances: [signedIn], connection })
    const status = screen.getByRole('status')
    expect(within(status).getByText(word)).toBeTruthy()
    expect(status.textContent).toContain(sentence)
  })

  it('says nothing of an earlier state while it finds out what a new tunnel carries', async () => {
    const { change } = await openWindow({
      instances: [signedIn],
      connection: { state: 'disconnecting', target, switching: true, again: true },
    })
    expect(statusText()).toContain('Reconnecting to vpn.example.org…')
    change({ connection: { ...connected, target, allTraffic: undefined } })
    expect(statusText()).toBe('ConnectedConnected to Internet access. Checking what goes through the VPN…')
    expect(screen.getByRole('status').querySelector('[aria-live=off]')).toBeTruthy()
    change({ connection: { ...connected, target, allTraffic: true } })
    await expect.poll(statusText).toMatch(/^ConnectedConnected to /)
  })

  it.each([
    ['internet', true, 'Through the VPN: everything', 'on'],
    ['office', true, 'Through the VPN: everything', 'on'],
    ['office', false, "Through the VPN: only your organization's networks", 'on'],
    [
      'internet',
      false,
      "Only some of your traffic is protected: this computer's routes bypass the VPN.",
      'limited',
    ],
    ['internet', undefined, 'Checking what goes through the VPN…', 'limited'],
    ['office', undefined, 'Checking what goes through the VPN…', 'limited'],
  ])('tells the truth about %s with all traffic %s: %s', async (profileId, allTraffic, truth, expected) => {
    await openWindow({
      instances: [signedIn],
      connection: { ...connected, target: { ...target, profileId }, allTraffic },
    })
    expect(header().getByText('Connected')).toBeTruthy()
    expect(statusText()).toMatch(/Connected to \w+/)
    expect(statusText()).toContain(truth)
    expect(tone()).toBe(expected)
  })

  it('names the profile and its service, before the first connection too', async () => {
    const { change } = await openWindow({
      instances: [signedIn],
      shortcuts: { recent: [{ ...target, profileId: 'office' }], starred: [] },
    })
    expect(header().getByRole('button', { name: /^Office · vpn\.example\.org/ })).toBeTruthy()
    change({ connection: { state: 'preparing', target } })
    expect(header().getByRole('button', { name: /^Internet access · vpn\.example\.org/ })).toBeTruthy()
  })

  it('names only the service where the profile is not known, as after signing out', async () => {
    const signedOut: InstanceSlice = {
      ...signedIn,
      login: 'signed-out',
      loggedOut: true,
      profiles: { status: 'unknown', items: [] },
    }
    const office = { ...target, profileId: 'f3b1-office' }
    await openWindow({ instances: [signedOut], connection: { state: 'disconnected', target: office } })
    expect(region().textContent).toContain(signedIn.id)
    expect(region().textContent).not.toContain('f3b1')
    expect(header().getByRole('button', { name: 'Connect' })).toBeTruthy()
  })

  it('tells a screen reader of a phase after two seconds in it, and of the outcome at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { change } = await openWindow({ instances: [signedIn] })
    const spoken = new Set<string>()
    const pass = (milliseconds: number): void => {
      act(() => {
        vi.advanceTimersByTime(milliseconds)
      })
      spoken.add(statusText())
    }
    for (const phase of ['starting', 'resolving', 'contacting', 'tls', 'authenticating'] as const) {
      change({ connection: { state: 'connecting', target, phase } })
      pass(150)
    }
    // The large word before it is hidden from screen readers.
    expect([...spoken]).toEqual(['ConnectingConnecting.'])
    pass(2000)
    expect(statusText()).toContain('Sending your certificate to the server…')
    change({ connection: { state: 'connecting', target, phase: 'configuring' } })
    pass(150)
    expect(statusText(), 'what was said stays until there is more').toContain('Sending your certificate')
    change({ connection: { ...connected, allTraffic: undefined } })
    pass(150)
    // Nothing before it's known, except to a person who looks for it.
    const unsaid = screen.getByText('Connected to Internet access. Checking what goes through the VPN…')
    expect(unsaid.getAttribute('aria-live')).toBe('off')
    expect(statusText()).toBe(`Connected${unsaid.textContent}`)
    change({ connection: connected })
    pass(0)
    expect(statusText()).toBe('ConnectedConnected to Internet access. Through the VPN: everything')
    expect(screen.getByRole('status').querySelector('[aria-live]')).toBeNull()
  })

  it("shows the tunnel's details when they are open, and disconnects", async () => {
    const { user, ran } = await openWindow({ ...opened, instances: [signedIn], connection: connected })
    const details = screen.getByRole('region', { name: 'Details' }).textContent
    for (const fact of ['10.42.0.2', 'fd00::2', '192.0.2.7:1194 (UDP)', 'AES-256-GCM'])
      expect(details).toContain(fact)
    // Screen readers don't read it every second.
    expect(screen.getByRole('timer').getAttribute('aria-live')).toBe('off')
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran.at(-1)).toEqual({ name: 'disconnect', input: undefined })
  })

  it("says why the details couldn't be opened", async () => {
    const error = { code: 'data/unwritable', message: '' } as const
    const { user } = await openWindow({ instances: [signedIn], connection: connected }, (name) =>
      name === 'setSetting' ? { ok: false, error } : { ok: true },
    )
    const details = screen.getByRole('button', { name: 'Details' })
    expect(details.getAttribute('aria-describedby')).toBeNull()
    await user.click(details)
    expect(screen.getByRole('alert').textContent).toContain('data/unwritable')
    expect(details.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  })

  it('shows the time of the next reconnection attempt, and reconnects or stops on request', async () => {
    const nextAttemptAt = new Date(2026, 10, 20, 9, 5, 7).getTime()
    const { user, ran } = await openWindow({
      instances: [signedIn],
      connection: {
        state: 'reconnecting',
        target,
        reason: 'unreachable',
        attempt: 3,
        routes: 'kept',
        nextAttemptAt,
      },
    })
    expect(screen.getByRole('status').textContent).toContain('Next attempt at 9:05:07')
    await user.click(screen.getByRole('button', { name: 'Try now' }))
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran.map(({ name }) => name)).toEqual(['retryNow', 'disconnect'])
  })

  it("offers no reconnection controls for another process's connection", async () => {
    await openWindow({
      instances: [signedIn],
      connection: { state: 'reconnecting', target, reason: 'unreachable', attempt: 3, routes: 'kept' },
      heldBy: { kind: 'terminal', pid: 4711 },
    })
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Disconnect' })).toBeTruthy()
  })

  it.each<ConnectionState>([
    { state: 'idle' },
    { state: 'disconnected', target },
    { state: 'failed', target, error: { code: 'openvpn/unreachable', message: '' } },
  ])('says in state %j that the kill switch blocks traffic, and allows it on request', async (connection) => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection,
      killSwitch: { here: 'available', blocks: true },
    })
    const status = screen.getByRole('status')
    expect(header().getByText('Traffic blocked')).toBeTruthy()
    expect(tone()).toBe('blocked')
    expect(document.title).toContain('Traffic blocked')
    expect(status.textContent).toContain('the kill switch is blocking your traffic')
    expect(status.textContent).not.toContain("doesn't use the VPN")
    await user.click(screen.getByRole('button', { name: 'Allow traffic' }))
    expect(ran).toEqual([{ name: 'releaseTraffic', input: undefined }])
    change({ killSwitch: { here: 'available', blocks: false } })
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
    expect(status.textContent).toContain("doesn't use the VPN")
  })

  it("keeps the button when the kill switch couldn't be lifted, and shows why", async () => {
    const error = { code: 'helper/not-authorized', message: '' } as const
    const answers = [{ ok: false, error }, new Promise(() => undefined)]
    const { user } = await openWindow(
      { instances: [signedIn], killSwitch: { here: 'available', blocks: true } },
      () => answers.shift(),
    )
    const allow = () => screen.getByRole('button', { name: 'Allow traffic' })
    await user.click(allow())
    const { what, todo } = englishTexts.errors['helper/not-authorized']
    expect(header().getByText(what).parentElement?.textContent).toBe(`${what}${todo}`)
    expect(header().getByText(todo).dataset.spare).toBe('true')
    expect(allow()).toHaveProperty('disabled', false)
    await user.click(allow())
    expect(region().textContent, 'while it is tried again').not.toContain(what)
    expect(allow()).toHaveProperty('disabled', true)
  })

  it('lifts the kill switch by disconnecting while a tunnel is up or connecting', async () => {
    const { change } = await openWindow({
      instances: [signedIn],
      connection: connected,
      killSwitch: { here: 'available', blocks: true },
    })
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
    change({
      connection: { state: 'reconnecting', target, reason: 'captive-portal', attempt: 1, routes: 'kept' },
    })
    expect(statusText()).toContain('requires you to sign in first')
    expect(statusText()).toContain("The kill switch blocks the network's page. To open it, disconnect.")
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
  })

  it('can be cancelled while connecting', async () => {
    await openWindow({ instances: [signedIn], connection: { state: 'preparing', target } })
    expect(header().getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false)
  })

  it('shows why it failed and what to do', async () => {
    const error = { code: 'openvpn/unreachable', message: '' } as const
    await openWindow({ ...opened, instances: [signedIn], connection: { state: 'failed', target, error } })
    expect(within(screen.getByRole('status')).getByText("Couldn't connect")).toBeTruthy()
    expect(statusText()).toContain("None of this profile's servers responded.")
    expect(region().textContent).toContain("None of this profile's servers responded.")
    const alert = errorText()
    expect(alert).toContain("None of this profile's servers responded.")
    expect(alert).toContain('try another one')
    expect(alert).toContain('openvpn/unreachable')
  })

  it('shows a failure once, and removes it when another profile connects', async () => {
    const error = { code: 'openvpn/unreachable', message: '' } as const
    const { user, change } = await openWindow({ instances: [signedIn] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Connect: Office' }))
    change({ connection: { state: 'failed', target, error } })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(statusText()).toContain('None of')
    change({ connection: { ...connected, target: { ...target, profileId: 'office' } } })
    expect(region().textContent).not.toContain('None of')
  })

  it('shows an error from before the connection attempt, where no row moves', async () => {
    const error = { code: 'usage/unknown-instance', message: '' } as const
    const { user, change } = await openWindow({ instances: [signedIn] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Connect: Office' }))
    expect(region().textContent).toContain('This service is no longer in your list.')
    change({ connection: { state: 'preparing', target } })
    expect(region().textContent).not.toContain('This service is no longer in your list.')
  })
})

describe('the next step', () => {
  const recent = { shortcuts: { recent: [target], starred: [] } }

  it.each<[ConnectionState, string[]]>([
    [{ state: 'idle' }, ['Connect']],
    [{ state: 'discovering', target }, ['Cancel']],
    [{ state: 'authorizing', target }, ['Cancel']],
    [{ state: 'connecting', target, phase: 'tls' }, ['Cancel']],
    [connected, ['Disconnect']],
    [
      { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' },
      ['Disconnect', 'Try now'],
    ],
    [{ state: 'disconnecting', target }, ['Disconnect']],
    [{ state: 'disconnecting', target, switching: true }, ['Cancel']],
    [{ state: 'disconnected', target }, ['Connect']],
    [failed('vpn-api/server-error'), ['Try again', 'Copy for help desk']],
  ])('in state %j is %j', async (connection, expected) => {
    await openWindow({ instances: [signedIn], connection, ...recent })
    expect(buttons()).toEqual(expected)
  })

  it('is to renew first beside a connection whose access is about to end, and last without one', async () => {
    const instance = { ...signedIn, ends: { at: Date.now() + 3_600_000, renewableFrom: 0 } }
    const { change } = await openWindow({
      instances: [instance],
      connection: { ...connected, allTraffic: false, routesUnknown: true },
    })
    expect(buttons()).toEqual(['Disconnect', 'Renew', 'More'])
    change({ connection: failed('vpn-api/server-error') })
    expect(buttons()).toEqual(['Try again', 'Copy for help desk', 'More'])
  })

  it('connects with the profile that it names', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    expect(region().textContent).toContain('Internet access · vpn.example.org')
    await user.click(header().getByRole('button', { name: 'Connect: Internet access' }))
    change({ connection: failed('vpn-api/server-error') })
    await press(user, header().getByRole('button', { name: 'Try again: Internet access' }))
    expect(ran).toEqual([
      { name: 'connect', input: target },
      { name: 'connect', input: target },
    ])
  })

  it('is to reconnect or to allow traffic while the kill switch blocks it', async () => {
    const { user, ran } = await openWindow({
      instances: [signedIn],
      connection: { state: 'disconnected', target },
      killSwitch: { here: 'available', blocks: true },
    })
    expect(buttons()).toEqual(['Reconnect', 'Allow traffic'])
    await user.click(header().getByRole('button', { name: 'Reconnect: Internet access' }))
    expect(ran).toEqual([{ name: 'connect', input: target }])
  })

  it('is the one filled button, with the first profile, after the first sign-in', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    const filled = [...document.querySelectorAll('main [data-variant=filled]')]
    expect(filled.map((each) => each.getAttribute('aria-label'))).toEqual(['Connect: Internet access'])
    await user.click(header().getByRole('button', { name: 'Connect: Internet access' }))
    expect(ran).toEqual([{ name: 'connect', input: target }])
  })

  it('is not taken by the second click of a double click, or a click just after it has changed', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    // Nothing takes any time: a slow computer must not make a quick click a slow one.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const button = header().getByRole('button', { name: 'Connect: Internet access' })
    await user.dblClick(button)
    expect(ran).toEqual([{ name: 'connect', input: target }])
    change({ connection: { state: 'preparing', target } })
    await user.click(header().getByRole('button', { name: 'Cancel' }))
    expect(ran).toHaveLength(1)
    await press(user, header().getByRole('button', { name: 'Cancel' }))
    expect(ran).toHaveLength(2)
  })

  it('may be taken by a click that was meant for a step that does the same', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn], ...recent })
    vi.spyOn(performance, 'now').mockReturnValue(0)
    change({ connection: failed('vpn-api/server-error') })
    await user.click(header().getByRole('button', { name: 'Try again: Internet access' }))
    change({ connection: { state: 'preparing', target } })
    await user.click(header().getByRole('button', { name: 'Cancel' }))
    expect(
      ran.map(({ name }) => name),
      'which ends instead',
    ).toEqual(['connect'])
    vi.spyOn(performance, 'now').mockReturnValue(1000)
    change({ connection: connected })
    await user.click(header().getByRole('button', { name: 'Disconnect' }))
    expect(ran.at(-1)?.name).toBe('disconnect')
    vi.spyOn(performance, 'now').mockReturnValue(2000)
    change({ connection: failed('openvpn/not-found') })
    vi.spyOn(performance, 'now').mockReturnValue(3000)
    change({ connection: failed('helper/not-installed'), helper: 'installable' })
    await user.click(header().getByRole('button', { name: 'Install helper…' }))
    expect(
      ran.map(({ name }) => name),
      'which does something else',
    ).not.toContain('installHelper')
  })

  it('is with the profile that is picked instead', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn], ...recent })
    await user.click(header().getByRole('button', { name: /Choose another profile/ }))
    await user.click(
      await screen.findByRole('menuitemradio', { name: "Office organization's networks only" }),
    )
    await press(user, header().getByRole('button', { name: 'Connect: Office' }))
    expect(ran).toEqual([{ name: 'connect', input: { ...target, profileId: 'office' } }])
  })

  it('is no profile that Causeway does not support', async () => {
    const { change } = await openWindow({
      instances: [offering({ profileId: 'internet', displayName: 'WireGuard', notSupported: true })],
      ...recent,
    })
    expect(header().queryAllByRole('button')).toEqual([])
    expect(screen.getByRole('button', { name: 'Connect: WireGuard' })).toHaveProperty('disabled', true)
    const office = { profileId: 'office', displayName: 'Office' }
    change({
      connection: failed('vpn-api/server-error'),
      instances: [offering({ profileId: 'internet', displayName: 'WireGuard', notSupported: true }, office)],
    })
    expect(header().getByRole('button', { name: 'Connect: Office' })).toBeTruthy()
    expect(header().queryByRole('button', { name: /^Try again/ })).toBeNull()
  })
})

const many = ['internet', 'office', 'lab', 'library', 'ward'].map((profileId) => ({
  profileId,
  displayName: profileId === 'lab' ? 'Lab' : profileId,
}))

describe('after a failure', () => {
  it.each<[ErrorCode, string[]]>([
    ['openvpn/unreachable', ['Try TCP', 'Try again', 'More']],
    ['openvpn/timed-out', ['Try TCP', 'Try again', 'More']],
    ['openvpn/not-found', ['Choose OpenVPN…', 'Try again', 'More']],
    ['openvpn/too-old', ['Choose OpenVPN…', 'Try again', 'More']],
    ['helper/not-installed', ['Check this computer', 'Try again']],
    // Its sentence needs the room.
    ['clock/wrong', ['Try again', 'More']],
    ['vpn-api/server-error', ['Try again', 'Copy for help desk']],
    ['network/captive-portal', ['Open its page', 'Try again']],
    ['oauth/access-denied', ['Sign in again', 'Copy for help desk']],
  ])('with %s, offers the step that helps, one more, and the rest under More: %j', async (code, expected) => {
    await openWindow({ instances: [signedIn], connection: failed(code) })
    expect(buttons()).toEqual(expected)
  })

  it('fills no button where nothing here helps yet', async () => {
    const { change } = await openWindow({ instances: [signedIn], connection: failed('http/unreachable') })
    const again = () => header().getByRole('button', { name: /^Try again/ })
    expect(again().getAttribute('data-variant')).toBe('default')
    change({ connection: failed('vpn-api/server-error') })
    expect(again().getAttribute('data-variant')).toBe('filled')
  })

  it('opens the page of the network, signs in again, and leads to another profile', async () => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection: failed('network/captive-portal'),
    })
    await press(user, header().getByRole('button', { name: 'Open its page' }))
    change({ connection: failed('oauth/access-denied') })
    await press(user, header().getByRole('button', { name: 'Sign in again' }))
    expect(ran).toEqual([
      { name: 'openNetworkPage', input: { instanceId: target.instanceId } },
      { name: 'connect', input: target },
    ])
    change({ connection: failed('vpn-api/profile-unavailable') })
    await press(user, header().getByRole('button', { name: 'Choose another profile' }))
    await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('search')
  })

  it('tries TCP with the same profile, unless TCP is set already', async () => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection: failed('openvpn/unreachable'),
    })
    await user.click(screen.getByRole('button', { name: 'Try TCP' }))
    expect(ran).toEqual([{ name: 'connect', input: { ...target, preferTcp: true } }])
    change({ settings: { ...emptyState.settings, preferTcp: true } })
    expect(screen.queryByRole('button', { name: 'Try TCP' })).toBeNull()
  })

  it('shows why TCP could not be tried', async () => {
    const error = { code: 'usage/unknown-instance', message: '' } as const
    const { user } = await openWindow(
      { instances: [signedIn], connection: failed('openvpn/unreachable') },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Try TCP' }))
    expect(region().textContent).toContain('This service is no longer in your list.')
  })

  it('installs the helper where the system can ask for permission, and then tries again', async () => {
    const missing = { instances: [signedIn], connection: failed('helper/not-installed') }
    const { user, ran, change } = await openWindow({ ...missing, helper: 'installable' })
    expect(buttons()).toEqual(['Install helper…', 'Try again', 'More'])
    await user.click(screen.getByRole('button', { name: 'Install helper…' }))
    expect(ran).toEqual([{ name: 'installHelper', input: undefined }])
    change({ helper: 'usable' })
    expect(buttons()).toEqual(['Try again', 'More'])
    change({ helper: 'missing' })
    expect(buttons()).toEqual(['Check this computer', 'Try again'])
    expect(region().textContent).toContain('Run "causeway helper install" in a terminal.')
  })

  it('says why the helper could not be installed, in place of why it could not connect', async () => {
    const error = { code: 'helper/not-installed', message: '', variant: 'not-permitted' } as const
    const { user } = await openWindow(
      { instances: [signedIn], connection: failed('helper/not-installed'), helper: 'installable' },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Install helper…' }))
    expect(region().textContent).toContain('Permission was denied')
    expect(screen.getByRole('button', { name: 'Install helper…' })).toHaveProperty('disabled', false)
  })

  it("chooses OpenVPN's program, and says why it can't be used", async () => {
    const error = { code: 'openvpn/too-old', message: '' } as const
    const { user, ran } = await openWindow(
      { instances: [signedIn], connection: failed('openvpn/not-found') },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(ran).toEqual([{ name: 'setOpenVpn', input: { by: 'dialog' } }])
    expect(region().textContent).toContain('The version of OpenVPN on this computer')
  })

  const lost: ConnectionState = {
    state: 'reconnecting',
    target,
    reason: 'ping-restart',
    attempt: 1,
    routes: 'kept',
  }

  it('says that the message was copied, until the connection moves on, and not again', async () => {
    const { user, change } = await openWindow({
      instances: [signedIn],
      connection: failed('vpn-api/server-error'),
    })
    expect(header().getByText('The service has an internal error.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Copy for help desk' }))
    expect(header().getByText(/^Copied · /)).toBeTruthy()
    expect(region().textContent).toContain('The service has an internal error.')
    change({ connection: { state: 'preparing', target } })
    expect(header().queryByText(/^Copied/)).toBeNull()
    expect(region().textContent).toContain('Getting your configuration')
    change({ connection: failed('vpn-api/server-error') })
    expect(header().queryByText(/^Copied/)).toBeNull()
  })

  it('does not say in a later state what was copied for an earlier one', async () => {
    let copied: (value: unknown) => void = () => undefined
    const { user, change } = await openWindow(
      { instances: [signedIn], connection: failed('vpn-api/server-error') },
      (name) => (name === 'copySupportReport' ? new Promise((resolve) => (copied = resolve)) : { ok: true }),
    )
    await user.click(screen.getByRole('button', { name: 'Copy for help desk' }))
    change({ connection: connected })
    await act(async () => {
      copied({ ok: true })
      await Promise.resolve()
    })
    expect(header().queryByText(/^Copied/)).toBeNull()
  })

  it.each<[ConnectionState, string, ConnectionState]>([
    [connected, 'Disconnect', lost],
    [lost, 'Try now', connected],
    [connected, 'Disconnect', { ...connected, since: Date.now() }],
    [failed('openvpn/not-found'), 'Choose OpenVPN…', { state: 'preparing', target }],
  ])(
    "in state %j, says why %s didn't work, until the connection moves on",
    async (connection, verb, next) => {
      const error = { code: 'helper/not-authorized', message: '' } as const
      const { user, change } = await openWindow({ instances: [signedIn], connection }, (name) =>
        name === 'watchTraffic' ? { ok: true } : { ok: false, error },
      )
      await user.click(header().getByRole('button', { name: verb }))
      const { what } = englishTexts.errors['helper/not-authorized']
      expect(region().textContent).toContain(what)
      change({ connection: next })
      expect(region().textContent).not.toContain(what)
      change({ connection })
      expect(region().textContent).not.toContain(what)
    },
  )

  it('shows what failed last, in the stage or in a row', async () => {
    const codes = ['helper/not-authorized', 'data/unwritable'] as const
    let answers = 0
    const { user } = await openWindow(
      { instances: [offering(...many)], connection: failed('openvpn/not-found') },
      () => ({
        ok: false,
        error: { code: codes[answers++ % 2], message: '' },
      }),
    )
    await user.click(header().getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(region().textContent).toContain(englishTexts.errors['helper/not-authorized'].what)
    await user.click(screen.getByRole('button', { name: 'Star Lab' }))
    expect(region().textContent).toContain(englishTexts.errors['data/unwritable'].what)
    await user.click(header().getByRole('button', { name: 'Choose OpenVPN…' }))
    expect(region().textContent).toContain(englishTexts.errors['helper/not-authorized'].what)
  })

  it('leads to the check of this computer', async () => {
    const { user } = await openWindow({ instances: [signedIn], connection: failed('openvpn/not-found') })
    await user.click(header().getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Check this computer' }))
    expect(window.location.hash).toBe('#doctor')
  })
})

describe('the name of a listed organization', () => {
  const listing = { name: 'Example University', supportContacts: [] }
  const instances = [{ ...signedIn, listing }]

  it('is in the header instead of the host', async () => {
    await openWindow({ instances, connection: connected })
    expect(region().textContent).toContain('Example University')
    expect(header().queryByText(signedIn.id)).toBeNull()
  })

  it('is in the sentences about the connection', async () => {
    await openWindow({ instances, connection: { state: 'discovering', target } })
    expect(header().getByText(/^Looking up Example University/)).toBeTruthy()
  })
})

it.each<[object, RegExp]>([
  [{ allIpv4: true }, /Only IPv4 traffic is protected/],
  [{ outside: ['203.0.113.0/24'] }, /Most of your traffic is protected/],
  [{ routesUnknown: true }, /can't tell from this computer's routes/],
  [{ routes: [] }, /None of your traffic is protected/],
])('says in amber what leaves outside the tunnel: %j', async (carried, sentence) => {
  await openWindow({
    ...opened,
    instances: [signedIn],
    connection: { ...connected, allTraffic: false, ...carried },
  })
  expect(statusText()).toMatch(sentence)
  expect(tone()).toBe('limited')
  expect(screen.queryByText('203.0.113.0/24') !== null).toBe('outside' in carried)
})

it('offers another server and TCP where nothing passes', async () => {
  const stalled = { ...connected, passing: false } as const
  const { user, change, ran } = await openWindow({ instances: [signedIn], connection: stalled })
  expect(header().getByText('No traffic gets through')).toBeTruthy()
  expect(statusText()).toBe(
    'No traffic gets throughNo traffic gets through. The server accepted the connection, but sends nothing back.',
  )
  expect(region().textContent).not.toContain('Connected')
  expect(document.title).toContain('No traffic gets through')
  expect(tone()).toBe('limited')
  await user.click(screen.getByRole('button', { name: 'Try another server' }))
  await user.click(header().getByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Try TCP' }))
  expect(ran.map(({ name, input }) => [name, input])).toEqual(
    expect.arrayContaining([
      ['retryNow', undefined],
      ['connect', { ...target, preferTcp: true }],
    ]),
  )
  change({ connection: { ...stalled, remote: { ...stalled.remote, protocol: 'tcp' } } })
  expect(header().queryByRole('button', { name: 'More' })).toBeNull()
  change({ connection: connected })
  expect(screen.queryByRole('button', { name: 'Try another server' })).toBeNull()
})

it.each<[object, string[]]>([
  [{}, ['Disconnect', 'Reconnect', 'More']],
  [{ routes: [] }, ['Disconnect', 'Reconnect', 'More']],
  [{ routesUnknown: true }, ['Disconnect', 'Check this computer', 'More']],
])('offers what may help where the profile promises more than it carries: %j', async (carried, expected) => {
  const connection = { ...connected, allTraffic: false, ...carried } as const
  const { user, ran, change } = await openWindow({ instances: [signedIn], connection })
  expect(tone()).toBe('limited')
  expect(buttons()).toEqual(expected)
  const filled = [...document.querySelectorAll('main [data-variant=filled]')]
  expect(filled.map(({ textContent }) => textContent)).toEqual([expected[1]])
  await press(user, header().getByRole('button', { name: String(expected[1]) }))
  if (expected[1] === 'Reconnect') expect(ran.at(-1)).toEqual({ name: 'connect', input: target })
  else expect(window.location.hash).toBe('#doctor')
  change({ connection: connected })
  expect(screen.queryByRole('button', { name: 'Reconnect' })).toBeNull()
})

it.each([
  ['kept', 'Your traffic waits until then.'],
  ['gone', "Until then, your traffic isn't protected."],
] as const)('says while reconnecting that the routes are %s', async (routes, sentence) => {
  const lost = { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes } as const
  const { change } = await openWindow({ instances: [signedIn], connection: lost })
  expect(statusText()).toContain(sentence)
  change({ connection: { ...lost, notYetConnected: true } })
  expect(region().textContent).not.toContain(sentence)
})

it('shows the protocol and the age of the handshake in the details', async () => {
  const state = { ...connected, protocol: 'wireguard', handshakeAt: Date.now() - 61_000 } as const
  await openWindow({ connection: state, instances: [signedIn], ...opened })
  const details = within(screen.getByRole('region', { name: 'Details' }))
  expect(details.getByText('Protocol').nextSibling?.textContent).toBe('WireGuard')
  expect(details.getByText('Last handshake').nextSibling?.textContent).toMatch(/^1:0[1-9]$|^1 min/)
})
