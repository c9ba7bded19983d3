import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import type { ConnectionState } from '../../../contract/connection'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
const connected: ConnectionState = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
  remote,
  cipher: 'AES-256-GCM',
  allTraffic: true,
  since: Date.now() - 61_000,
}

describe('the connection', () => {
  it('asks for an address on first run, and adds what was typed', async () => {
    const { user, ran } = await openWindow()
    await user.type(screen.getByRole('textbox', { name: 'Address' }), 'vpn.example.org{Enter}')
    expect(ran).toEqual([{ name: 'addInstance', input: { address: 'vpn.example.org' } }])
  })

  it('says beside the address why it could not be added, and keeps it', async () => {
    const { user } = await openWindow({}, () => ({
      ok: false,
      error: { code: 'discovery/not-found', message: '' },
    }))
    await user.type(screen.getByRole('textbox', { name: 'Address' }), 'vpn.example.com')
    await user.click(screen.getByRole('button', { name: 'Add instance' }))
    const alert = screen.getByRole('alert')
    expect(alert).toHaveProperty(
      'textContent',
      expect.stringContaining("There's no VPN service at this address."),
    )
    expect(alert).toHaveProperty('textContent', expect.stringContaining('discovery/not-found'))
    expect(screen.getByRole('textbox', { name: 'Address' })).toHaveProperty('value', 'vpn.example.com')
  })

  describe('the DNS servers', () => {
    const servers = ['10.42.0.1', 'fd00::1']

    function shown(): string {
      return screen.getByText('DNS servers').nextElementSibling?.textContent ?? ''
    }

    it('are shown, each to be copied', async () => {
      const dns = { servers, domains: [], applied: true }
      const { user, ran } = await openWindow({ instances: [signedIn], connection: { ...connected, dns } })
      expect(shown()).toBe('10.42.0.1fd00::1')
      await user.click(screen.getByRole('button', { name: 'Copy 10.42.0.1' }))
      expect(ran).toEqual([{ name: 'copyText', input: { text: '10.42.0.1' } }])
    })

    it('are shown with their domains where only these are looked up there', async () => {
      const dns = { servers, domains: ['example.org', 'example.com'], applied: true }
      const { change } = await openWindow({
        instances: [signedIn],
        connection: { ...connected, allTraffic: false, dns },
      })
      expect(shown()).toContain('Only for example.org and example.com')
      change({ connection: { ...connected, allTraffic: true, dns } })
      expect(shown()).toBe('10.42.0.1fd00::1')
      change({ connection: { ...connected, allTraffic: false, dns: { ...dns, domains: ['.'] } } })
      expect(shown()).toBe('10.42.0.1fd00::1')
    })

    it('are said not to be in use where they could not be set', async () => {
      const dns = { servers, domains: [], applied: false }
      const { change } = await openWindow({ instances: [signedIn], connection: { ...connected, dns } })
      expect(shown()).toContain("Not in use: they couldn't be set.")
      change({ connection: connected })
      expect(screen.queryByText('DNS servers')).toBeNull()
    })
  })

  it('connects with the profile whose button was pressed', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    const office = screen.getByText('Office').closest('li')
    if (office === null) throw new Error('The profile is not in a list item.')
    const button = within(office).getByRole('button', { name: 'Connect' })
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Office')
    await user.click(button)
    expect(ran).toEqual([{ name: 'connect', input: { instanceId: signedIn.id, profileId: 'office' } }])
  })

  it('says that a connection is the terminal’s, ends it, and offers to connect here instead', async () => {
    const heldBy = { kind: 'terminal', pid: 4711 } as const
    const { user, ran } = await openWindow({ instances: [signedIn], connection: connected, heldBy })
    expect(screen.getByText('The terminal command (process 4711) holds this connection.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    // Also with the profile that the terminal uses.
    for (const button of screen.getAllByRole('button', { name: 'Connect here instead' }))
      await user.click(button)
    expect(ran).toEqual([
      { name: 'disconnect', input: undefined },
      { name: 'connect', input: { instanceId: signedIn.id, profileId: 'internet', takeOver: true } },
      { name: 'connect', input: { instanceId: signedIn.id, profileId: 'office', takeOver: true } },
    ])
  })

  it.each<[ConnectionState, string, string]>([
    [{ state: 'idle' }, 'Disconnected', "Your traffic doesn't use the VPN."],
    [{ state: 'discovering', target }, 'Connecting', 'Looking up vpn.example.org'],
    [{ state: 'authorizing', target }, 'Connecting', 'Waiting for your browser'],
    [{ state: 'preparing', target }, 'Connecting', 'Getting your certificate'],
    [
      { state: 'connecting', target, phase: 'contacting', remote },
      'Connecting',
      'Contacting 192.0.2.7:1194 (UDP)',
    ],
    [{ state: 'connecting', target, phase: 'tls' }, 'Connecting', 'Verifying the server'],
    [connected, 'Connected', 'All your traffic goes through vpn.example.org.'],
    [
      { ...connected, allTraffic: false },
      'Connected',
      "Only traffic to this profile's networks uses the VPN.",
    ],
    [{ ...connected, allTraffic: undefined }, 'Connected', "You're connected to vpn.example.org."],
    [
      { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1 },
      'Reconnecting',
      'The server stopped responding.',
    ],
    [
      { state: 'reconnecting', target, reason: 'network-down', attempt: 1, waitingForNetwork: true },
      'Reconnecting',
      "There's no network.",
    ],
    [
      {
        state: 'reconnecting',
        target,
        reason: 'unreachable',
        attempt: 1,
        notYetConnected: true,
        nextAttemptAt: 0,
      },
      'Connecting',
      'Not connected to vpn.example.org yet. The next attempt is at',
    ],
    [
      {
        state: 'reconnecting',
        target,
        reason: 'unreachable',
        attempt: 1,
        notYetConnected: true,
        waitingForNetwork: true,
      },
      'Connecting',
      'will connect to vpn.example.org when there is one',
    ],
    [{ state: 'disconnecting', target }, 'Disconnecting', 'Disconnecting from'],
    [
      { state: 'disconnected', target, by: { kind: 'terminal', pid: 4711, takesOver: false } },
      'Disconnected',
      'The terminal command (process 4711) disconnected from vpn.example.org',
    ],
    [{ state: 'disconnected', target }, 'Disconnected', 'is closed'],
    [{ state: 'disconnecting', target, notYetConnected: true }, 'Disconnecting', 'Cancelling'],
    [
      { state: 'disconnected', target, notYetConnected: true },
      'Disconnected',
      'The connection to vpn.example.org was cancelled.',
    ],
    [
      {
        state: 'disconnected',
        target,
        notYetConnected: true,
        by: { kind: 'terminal', pid: 4711, takesOver: true },
      },
      'Disconnected',
      'The terminal command (process 4711) cancelled the connection to vpn.example.org',
    ],
  ])('in state %j says %s', async (connection, word, sentence) => {
    await openWindow({ instances: [signedIn], connection })
    const status = screen.getByRole('status')
    expect(within(status).getByText(word)).toBeTruthy()
    expect(status.textContent).toContain(sentence)
  })

  it('shows what the tunnel is, and lets the user disconnect', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn], connection: connected })
    const status = screen.getByRole('status').textContent
    for (const fact of ['10.42.0.2', 'fd00::2', '192.0.2.7:1194 (UDP)', 'AES-256-GCM', 'Internet access']) {
      expect(status).toContain(fact)
    }
    // Not read aloud each second.
    expect(screen.getByRole('timer').getAttribute('aria-live')).toBe('off')
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran).toEqual([{ name: 'disconnect', input: undefined }])
  })

  it('says when the next attempt to reconnect is, and lets the user make it now or give up', async () => {
    const nextAttemptAt = new Date(2026, 10, 20, 9, 5, 7).getTime()
    const { user, ran } = await openWindow({
      instances: [signedIn],
      connection: { state: 'reconnecting', target, reason: 'unreachable', attempt: 3, nextAttemptAt },
    })
    expect(screen.getByRole('status').textContent).toContain('The next attempt is at 9:05:07')
    await user.click(screen.getByRole('button', { name: 'Try now' }))
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran.map(({ name }) => name)).toEqual(['retryNow', 'disconnect'])
  })

  it('leaves the attempts of another process to that one', async () => {
    await openWindow({
      instances: [signedIn],
      connection: { state: 'reconnecting', target, reason: 'unreachable', attempt: 3 },
      heldBy: { kind: 'terminal', pid: 4711 },
    })
    expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Disconnect' })).toBeTruthy()
  })

  it.each<ConnectionState>([
    { state: 'idle' },
    { state: 'disconnected', target },
    { state: 'failed', target, error: { code: 'openvpn/unreachable', message: '' } },
  ])('in state %j says that the kill switch blocks traffic, and lets it out', async (connection) => {
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      connection,
      killSwitch: { here: 'available', blocks: true },
    })
    const status = screen.getByRole('status')
    expect(status.textContent).toContain('the kill switch is blocking your traffic')
    expect(status.textContent).not.toContain("doesn't use the VPN")
    await user.click(screen.getByRole('button', { name: 'Allow traffic' }))
    expect(ran).toEqual([{ name: 'releaseTraffic', input: undefined }])
    change({ killSwitch: { here: 'available', blocks: false } })
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
    expect(status.textContent).toContain("doesn't use the VPN")
  })

  it('keeps the way out when the kill switch could not be lifted, and says why', async () => {
    const error = { code: 'helper/not-authorized', message: '' } as const
    const { user } = await openWindow(
      { instances: [signedIn], killSwitch: { here: 'available', blocks: true } },
      () => ({ ok: false, error }),
    )
    await user.click(screen.getByRole('button', { name: 'Allow traffic' }))
    expect(screen.getByRole('alert').textContent).toContain('helper/not-authorized')
    expect(screen.getByRole('button', { name: 'Allow traffic' })).toBeTruthy()
  })

  it('lifts the kill switch by disconnecting while a tunnel is there or on its way', async () => {
    const { change } = await openWindow({
      instances: [signedIn],
      connection: connected,
      killSwitch: { here: 'available', blocks: true },
    })
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
    change({ connection: { state: 'reconnecting', target, reason: 'captive-portal', attempt: 1 } })
    const said = screen.getByRole('status').textContent
    expect(said).toContain('requires you to sign in first')
    expect(said).toContain("blocks your traffic until you're connected again")
    expect(screen.queryByRole('button', { name: 'Allow traffic' })).toBeNull()
  })

  it('can be given up while it is coming about', async () => {
    await openWindow({ instances: [signedIn], connection: { state: 'preparing', target } })
    expect(screen.getByRole('button', { name: 'Disconnect' })).toHaveProperty('disabled', false)
  })

  it('says why it failed and what to do', async () => {
    const error = { code: 'openvpn/unreachable', message: '' } as const
    await openWindow({ instances: [signedIn], connection: { state: 'failed', target, error } })
    expect(within(screen.getByRole('status')).getByText('Disconnected')).toBeTruthy()
    const alert = screen.getByRole('alert').textContent
    expect(alert).toContain("None of this profile's servers responded.")
    expect(alert).toContain('try another one')
    expect(alert).toContain('openvpn/unreachable')
  })

  it('shows a failure once, and no longer when another profile is connected', async () => {
    const error = { code: 'openvpn/unreachable', message: '' } as const
    const { user, change } = await openWindow({ instances: [signedIn] }, () => ({ ok: false, error }))
    await user.click(screen.getAllByRole('button', { name: 'Connect' })[0] ?? document.body)
    change({ connection: { state: 'failed', target, error } })
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    change({ connection: { ...connected, target: { ...target, profileId: 'office' } } })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows an error that came before the connection began beside its profile', async () => {
    const error = { code: 'usage/unknown-instance', message: '' } as const
    const { user } = await openWindow({ instances: [signedIn] }, () => ({ ok: false, error }))
    await user.click(screen.getAllByRole('button', { name: 'Connect' })[0] ?? document.body)
    expect(screen.getByRole('alert').textContent).toContain('This instance is no longer in your list.')
  })
})
