import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { InstanceSlice } from '../../../contract/state'
import { englishTexts } from '../../../contract/locales/texts'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import {
  connected,
  errorText,
  header,
  opened,
  region,
  remote,
  statusText,
  target,
  tone,
} from './stage.testing'

describe('the connection', () => {
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

describe('without a service', () => {
  const blocks = { killSwitch: { here: 'available', blocks: true } } as const

  it('says that the kill switch blocks traffic, and lifts it, before it asks the first question', async () => {
    const { user, ran, change } = await openWindow(blocks)
    expect(statusText()).toContain('the kill switch is blocking your traffic')
    await user.click(header().getByRole('button', { name: 'Allow traffic' }))
    expect(ran).toEqual([{ name: 'releaseTraffic', input: undefined }])
    change({ killSwitch: { here: 'available', blocks: false } })
    expect(await screen.findByRole('heading', { name: 'Where do you study or work?' })).toBeTruthy()
  })

  it('says so in the other views too', async () => {
    const { user } = await openWindow(blocks)
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    expect(await screen.findByRole('link', { name: 'Traffic blocked' })).toBeTruthy()
  })
})
