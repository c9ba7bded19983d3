import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import { connected, opened, statusText } from './stage.testing'

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

it('shows the protocol and the age of the handshake in the details', async () => {
  const state = { ...connected, protocol: 'wireguard', handshakeAt: Date.now() - 61_000 } as const
  await openWindow({ connection: state, instances: [signedIn], ...opened })
  const details = within(screen.getByRole('region', { name: 'Details' }))
  expect(details.getByText('Protocol').nextSibling?.textContent).toBe('WireGuard')
  expect(details.getByText('Last handshake').nextSibling?.textContent).toMatch(/^1:0[1-9]$|^1 min/)
})
