import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'
import type { InstanceSlice } from '../../../contract/state'

const nothing = { status: 'unknown', items: [] } as const
const signedOut: InstanceSlice = {
  ...signedIn,
  login: 'signed-out',
  profiles: { ...nothing, items: [] },
  messages: { ...nothing, items: [] },
}
const input = { instanceId: signedIn.id }

/** Chooses from the menu of the service. */
async function choose(user: UserEvent, item: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'More for vpn.example.org' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

describe('a sign-in', () => {
  const waiting = { login: 'waiting-for-browser', browser: { until: Date.now() + 299_500 } } as const
  const other = { ...signedIn, id: 'other.example.org', address: 'https://other.example.org/' }

  it('is on the stage, which names its service and keeps the connection of another', async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
    await openWindow({
      instances: [signedIn, { ...other, ...waiting }],
      shortcuts: { recent: [target], starred: [] },
      connection: { state: 'connected', target, addresses: {}, remote, allTraffic: false, since: 0 },
    })
    const stage = within(screen.getByRole('region', { name: 'Connection' }))
    expect(screen.getByRole('status').textContent).toContain(
      'Continue in your browser. Sign in and approve Causeway there. You stay connected.',
    )
    expect(stage.getByText('other.example.org')).toBeTruthy()
    expect(stage.getByText('through the VPN')).toBeTruthy()
    expect(stage.queryByRole('button', { name: /Connect/ })).toBeNull()
    expect(screen.getByRole('button', { name: 'Active: Office' })).toBeTruthy()
  })

  it('that began earlier than the one on the stage can be cancelled in the menu of its service', async () => {
    const later = { ...waiting, browser: { until: waiting.browser.until + 1000 } }
    const { user, ran, change } = await openWindow({
      instances: [
        { ...signedOut, ...waiting },
        { ...other, ...later },
      ],
    })
    const heading = (name: string) =>
      within(screen.getByRole('region', { name })).getByRole('heading').textContent
    expect(heading(signedOut.id)).toContain('Continue in your browser')
    expect(heading(other.id)).not.toContain('Continue in your browser')
    await choose(user, 'Cancel sign-in')
    expect(ran).toEqual([{ name: 'cancelLogIn', input }])
    change({ instances: [signedOut, { ...other, ...later }] })
    await user.click(screen.getByRole('button', { name: `More for ${other.id}` }))
    await screen.findByRole('menuitem', { name: 'Remove…' })
    expect(screen.queryByRole('menuitem', { name: 'Cancel sign-in' })).toBeNull()
  })

  it('is announced once, when the browser is open', async () => {
    const { change } = await openWindow({ instances: [{ ...signedOut, login: 'waiting-for-browser' }] })
    const announcement = () => screen.getByRole('status').querySelector(':scope > :not([aria-hidden])')
    const unsaid = () => announcement()?.querySelector('[aria-live=off]')?.textContent
    expect(announcement()?.textContent).toBe('Continue in your browser. Opening your browser…')
    expect(unsaid()).toBe(announcement()?.textContent)
    change({ instances: [{ ...signedOut, ...waiting }] })
    expect(announcement()?.textContent).toBe('Continue in your browser. Sign in and approve Causeway there.')
    expect(unsaid()).toBeUndefined()
  })

  it('leads to the next step when the profiles come, also if the heading has got the focus meanwhile', async () => {
    const { change } = await openWindow({ instances: [{ ...signedOut, ...waiting }] })
    change({ instances: [{ ...signedIn, profiles: { status: 'loading', items: [] } }] })
    const heading = screen.getByRole('heading', { level: 1 })
    heading.tabIndex = -1
    heading.focus()
    change({ instances: [signedIn] })
    const stage = within(screen.getByRole('region', { name: 'Connection' }))
    expect(document.activeElement).toBe(stage.getByRole('button', { name: /^Connect: / }))
  })

  it('moves nothing in the list', async () => {
    const { change } = await openWindow({ instances: [signedOut] })
    const section = screen.getByRole('region', { name: signedOut.id })
    const blocks = (): string[] =>
      [...section.children].map(({ tagName, className }) => `${tagName} ${className}`)
    const before = blocks()
    change({ instances: [{ ...signedOut, ...waiting }] })
    expect(blocks()).toEqual(before)
    expect(within(section).queryByRole('button', { name: 'Cancel' })).toBeNull()
  })
})

describe('an instance', () => {
  it('offers to log in, to cancel while the browser is open, and to log out', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedOut] })
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    change({ instances: [{ ...signedOut, login: 'waiting-for-browser' }] })
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    change({ instances: [signedIn] })
    await choose(user, 'Sign out')
    expect(ran).toEqual([
      { name: 'logIn', input },
      { name: 'cancelLogIn', input },
      { name: 'logOut', input },
    ])
  })

  it('opens the browser again during a login, and shows the time left', async () => {
    const { user, ran, change } = await openWindow({
      instances: [{ ...signedOut, login: 'waiting-for-browser' }],
    })
    expect(screen.queryByRole('button', { name: 'Copy link' }), 'there is no login page yet').toBeNull()
    change({
      instances: [{ ...signedOut, login: 'waiting-for-browser', browser: { until: Date.now() + 299_500 } }],
    })
    expect(screen.getByText(/^4:5\d left$/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Open browser again' }))
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(ran).toEqual([
      { name: 'openLogInAgain', input },
      { name: 'copyLogInLink', input },
    ])
  })

  it("takes a client ID if the service doesn't know Causeway, and logs in with it", async () => {
    const details = { clientId: 'org.causeway.app.linux', error: 'invalid_client' }
    const error = { code: 'oauth/client-refused', message: '', details } as const
    const { user, ran } = await openWindow({ instances: [{ ...signedOut, loginError: error }] })
    const alert = screen.getByRole('alert').textContent
    expect(alert).toContain("This service doesn't recognize Causeway")
    expect(alert).toContain('Client ID used: org.causeway.app.linux')
    await user.click(screen.getByRole('button', { name: 'Save and sign in' }))
    expect(ran, 'nothing was entered').toEqual([])
    await user.type(screen.getByRole('textbox', { name: 'Client ID' }), 'org.example.app{Enter}')
    expect(ran).toEqual([
      { name: 'setInstanceSettings', input: { ...input, clientId: 'org.example.app' } },
      { name: 'logIn', input },
    ])
  })

  it('takes a client ID also if the login was part of a connection', async () => {
    const error = { code: 'oauth/client-refused', message: '' } as const
    const target = { instanceId: signedIn.id, profileId: 'office' }
    await openWindow({ instances: [signedOut], connection: { state: 'failed', target, error } })
    expect(screen.getByRole('textbox', { name: 'Client ID' })).toBeTruthy()
  })

  it("shows beside the field which client ID can't be used, and doesn't log in", async () => {
    const loginError = { code: 'oauth/client-refused', message: '' } as const
    const error = { code: 'usage/invalid-argument', message: '', details: { argument: 'client-id' } } as const
    const { user, ran } = await openWindow({ instances: [{ ...signedOut, loginError }] }, () => ({
      ok: false,
      error,
    }))
    await user.type(screen.getByRole('textbox', { name: 'Client ID' }), 'ä{Enter}')
    expect(await screen.findByText(/^This ID isn't valid\. Enter the one/)).toBeTruthy()
    expect(ran.map(({ name }) => name)).toEqual(['setInstanceSettings'])
  })

  it('says after a logout where to revoke access at the service', async () => {
    const address = 'https://vpn.example.org/portal/'
    const { change } = await openWindow({ instances: [{ ...signedOut, address, loggedOut: true }] })
    const text = /still lists Causeway.* at https:\/\/vpn\.example\.org\/portal\/\.$/
    expect(screen.getByText(text)).toBeTruthy()
    change({ instances: [signedOut] })
    expect(screen.queryByText(text)).toBeNull()
  })

  it('explains a denied login once, and offers to log in again', async () => {
    const error = { code: 'oauth/access-denied', message: '' } as const
    const { user, change } = await openWindow({ instances: [signedOut] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    change({ instances: [{ ...signedOut, loginError: error }] })
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
      expect.stringContaining('Access was denied in the browser.'),
    ])
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
    change({ instances: [signedIn] })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('leaves it to the connection to say that both need a new login', async () => {
    const error = { code: 'oauth/login-required', message: '' } as const
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { change } = await openWindow({
      instances: [{ ...signedOut, loginError: error }],
      connection: { state: 'failed', target, error },
    })
    expect(screen.queryByRole('alert')).toBeNull()
    // The login ends before the attempt does: the list would jump down and up again.
    change({ connection: { state: 'preparing', target } })
    expect(screen.queryByRole('alert')).toBeNull()
    change({ connection: { state: 'failed', target: { ...target, instanceId: 'another' }, error } })
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    change({ connection: { state: 'idle' } })
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  it('shows no error for a cancelled login', async () => {
    const error = { code: 'oauth/cancelled', message: '' } as const
    const { user } = await openWindow({ instances: [signedOut] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows no error if the person keeps the login after all', async () => {
    const error = { code: 'oauth/cancelled', message: '' } as const
    const { user, ran } = await openWindow({ instances: [signedIn] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: /^More for / }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    expect(ran.at(-1)?.name).toBe('logOut')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says when the key store is locked, and retries when asked', async () => {
    const loginError = { code: 'secret-store/locked', message: '' } as const
    const { user, ran } = await openWindow({ instances: [{ ...signedOut, login: 'unknown', loginError }] })
    expect(screen.getByRole('alert').textContent).toContain('Unlock it, then try again.')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(ran).toEqual([{ name: 'refreshProfiles', input }])
  })

  it("keeps its profiles visible when they can't be refreshed, with the server’s message", async () => {
    const error = { code: 'vpn-api/refused', message: '', details: { error: '<b>quota</b>' } } as const
    await openWindow({
      instances: [{ ...signedIn, profiles: { status: 'failed', items: signedIn.profiles.items, error } }],
    })
    expect(screen.getByText('Office')).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain('The server says: <b>quota</b>')
  })

  it('says how many profiles can’t be read, beside the others', async () => {
    await openWindow({ instances: [{ ...signedIn, profiles: { ...signedIn.profiles, unreadable: 2 } }] })
    expect(screen.getByText('Office')).toBeTruthy()
    expect(screen.getByText("2 items couldn't be read and aren't shown.")).toBeTruthy()
  })

  it('refreshes its profiles when asked', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn] })
    await choose(user, 'Refresh')
    expect(ran).toEqual([{ name: 'refreshProfiles', input }])
    const error = { code: 'vpn-api/server-error', message: '' } as const
    change({ instances: [{ ...signedIn, profiles: { ...signedIn.profiles, status: 'failed', error } }] })
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('asks before signing out ends the connection, and before it is removed', async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { user, ran } = await openWindow({
      instances: [signedIn],
      connection: { state: 'preparing', target },
    })
    await choose(user, 'Sign out')
    expect(screen.getByRole('dialog').textContent).toContain('ends the VPN connection')
    await user.click(screen.getByRole('button', { name: 'Not now' }))
    expect(ran).toEqual([])
    await choose(user, 'Sign out')
    await user.click(screen.getByRole('button', { name: 'Disconnect and sign out' }))
    await choose(user, 'Remove…')
    await user.click(screen.getByRole('button', { name: 'Remove vpn.example.org' }))
    expect(ran).toEqual([
      { name: 'logOut', input },
      { name: 'removeInstance', input },
    ])
  })

  it('says whether a profile takes all traffic', async () => {
    await openWindow({ instances: [signedIn] })
    expect(screen.getByText('all traffic')).toBeTruthy()
    expect(screen.getByText("organization's networks only")).toBeTruthy()
  })

  it('says what to do if there is no profile', async () => {
    await openWindow({ instances: [{ ...signedIn, profiles: { status: 'loaded', items: [] } }] })
    expect(screen.getByText(/Ask your organization for access/)).toBeTruthy()
  })
})
