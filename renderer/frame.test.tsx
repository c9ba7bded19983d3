import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../contract/connection'
import type { InstanceSlice } from '../contract/state'
import { openWindow, signedIn, visit } from './fake-bridge.testing'

const links = (): (string | null)[] =>
  within(screen.getByRole('navigation'))
    .getAllByRole('link')
    .map((link) => link.textContent)

function offering(...services: readonly string[]): InstanceSlice {
  return {
    ...signedIn,
    services: {
      attachments: services.includes('attachments'),
      content: services.includes('content'),
      organizations: services.includes('organizations'),
    },
  }
}

describe('the navigation', () => {
  it('links to the services that an instance has', async () => {
    const { change } = await openWindow({ instances: [offering('content')] })
    expect(links()).toEqual(['Connection', 'Messages', 'News', 'Settings'])
    change({ instances: [offering('content'), { ...offering('attachments'), id: 'other.example.org' }] })
    expect(links()).toEqual(['Connection', 'Messages', 'Attachments', 'News', 'Settings'])
  })

  it("links to all views while an instance's services are unknown", async () => {
    await openWindow({ instances: [offering(), { ...signedIn, id: 'other.example.org' }] })
    expect(links()).toHaveLength(6)
  })

  it('returns to the connection from a view that disappeared', async () => {
    const { user, change } = await openWindow({ instances: [offering('content')] }, () => ({
      ok: true,
      value: { data: [] },
    }))
    await visit(user, 'News')
    expect(await screen.findByRole('heading', { name: 'News', level: 1 })).toBeTruthy()
    change({ instances: [offering()] })
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Connection')
    await waitFor(() => {
      expect(window.location.hash).toBe('#connection')
    })
  })
})

describe('a change of view', () => {
  it('changes the title and moves the focus into the view', async () => {
    const { user } = await openWindow()
    expect(document.title).toBe('Connection · Causeway')
    await visit(user, 'Settings')
    expect(document.title).toBe('Settings · Causeway')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Settings', level: 1 }))
  })

  it('can skip the navigation', async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { user } = await openWindow({
      instances: [signedIn],
      shortcuts: { recent: [target], starred: [] },
    })
    await user.tab()
    await user.keyboard('{Enter}')
    // Where the person goes on, not the view as a whole.
    const [next] = screen.getAllByRole('button', { name: 'Connect: Office' })
    expect(document.activeElement).toBe(next)
  })
})

describe('the status strip', () => {
  const target = { instanceId: signedIn.id, profileId: 'office' }
  const connected: ConnectionState = {
    state: 'connected',
    target,
    addresses: {},
    remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
    allTraffic: false,
    since: Date.now() - 3_723_000,
  }

  it('shows state, profile and duration in every other view, and leads back', async () => {
    const { user } = await openWindow({ instances: [signedIn], connection: connected })
    const status = () => within(screen.getByRole('navigation')).queryByText('Connected')
    expect(status()).toBeNull()
    for (const view of ['Messages', 'Settings']) {
      await visit(user, view)
      expect(status()?.closest('a')?.textContent, view).toMatch(/^Connected Office 1:02:\d\d$/)
    }
    await user.click(status()?.closest('a') ?? document.body)
    await waitFor(() => {
      expect(status()).toBeNull()
    })
    expect(screen.getByRole('main', { name: 'Connection' })).toBeTruthy()
  })

  it('says what is wrong, in the same words as the header', async () => {
    const { user, change } = await openWindow({ instances: [signedIn] })
    await visit(user, 'Settings')
    const shown = () => {
      const status = within(screen.getByRole('navigation')).getByRole('status')
      const link = within(status).getByRole('link')
      return [link.textContent.trim(), link.querySelector('svg')?.getAttribute('data-tone')]
    }
    expect(shown()).toEqual(['Not connected', 'off'])
    change({ killSwitch: { here: 'available', blocks: true } })
    expect(shown()).toEqual(['Traffic blocked', 'blocked'])
    change({ connection: { state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' } })
    expect(shown()).toEqual(['Reconnecting Office', 'working'])
    change({ connection: { ...connected, target: { ...target, profileId: 'internet' } } })
    expect(shown()[1]).toBe('limited')
  })

  it('lets a screen reader tell of changes, not of what was so when the view was opened', async () => {
    const { user, change } = await openWindow()
    await visit(user, 'Settings')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    change({ instances: [signedIn], connection: connected })
    const strip = within(screen.getByRole('navigation')).getByRole('status')
    expect(strip.getAttribute('aria-live')).toBe('off')
    act(() => {
      vi.advanceTimersByTime(1000)
    })
    expect(strip.getAttribute('aria-live')).toBe('polite')
  })

  it('is left out before there is a service', async () => {
    const { user } = await openWindow()
    await visit(user, 'Settings')
    expect(screen.getByRole('navigation').querySelector('[aria-live]')).toBeNull()
  })

  it('has its state in the title of the window too', async () => {
    const { user, change } = await openWindow({ instances: [signedIn], connection: connected })
    expect(document.title).toBe('Connected: Office – Connection · Causeway')
    await visit(user, 'Settings')
    expect(document.title).toBe('Connected: Office – Settings · Causeway')
    change({ connection: { state: 'disconnected', target } })
    expect(document.title).toBe('Settings · Causeway')
    change({ killSwitch: { here: 'available', blocks: true } })
    expect(document.title).toBe('Traffic blocked – Settings · Causeway')
  })
})

describe('keyboard shortcuts', () => {
  it('open the views', async () => {
    const { user } = await openWindow({ instances: [signedIn] })
    await user.keyboard('{Control>}2{/Control}')
    expect(await screen.findByRole('heading', { name: 'Messages', level: 1 })).toBeTruthy()
    await user.keyboard('{Control>},{/Control}')
    expect(await screen.findByRole('heading', { name: 'Settings', level: 1 })).toBeTruthy()
    await user.keyboard('{Control>}1{/Control}')
    expect(await screen.findByRole('region', { name: 'Services and profiles' })).toBeTruthy()
  })

  it('connect with the last used profile, and disconnect', async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { user, ran, change } = await openWindow({
      instances: [signedIn],
      shortcuts: { recent: [target], starred: [] },
    })
    const enter = () => user.keyboard('{Control>}{Enter}{/Control}')
    const asked = () => ran.filter(({ name }) => name === 'connect' || name === 'disconnect')
    await enter()
    expect(asked()).toEqual([{ name: 'connect', input: target }])
    change({ connection: { state: 'preparing', target } })
    await enter()
    expect(asked()).toHaveLength(2)
    expect(asked()[1]?.name).toBe('disconnect')
    change({ connection: { state: 'disconnecting', target } })
    await enter()
    expect(asked()).toHaveLength(2)
  })

  it("say why they couldn't disconnect, until the connection has ended in another way", async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const error = { code: 'connection/held-by-other', message: '' } as const
    const { user, change } = await openWindow(
      { instances: [signedIn], connection: { state: 'preparing', target } },
      (name) => (name === 'disconnect' ? { ok: false, error } : { ok: true }),
    )
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText(/connection\/held-by-other/)).toBeTruthy()
    change({ connection: { state: 'disconnected', target } })
    expect(screen.queryByText(/connection\/held-by-other/)).toBeNull()
  })

  it('connect with the first profile before any was used, as the filled button does', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    await visit(user, 'Messages')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(ran.at(-1)).toEqual({
      name: 'connect',
      input: { instanceId: signedIn.id, profileId: 'internet' },
    })
    expect(within(await screen.findByRole('list')).getByText('Internet access')).toBeTruthy()
  })
})
