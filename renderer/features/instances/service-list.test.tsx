import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { ConnectionTarget } from '../../../contract/connection'
import type { InstanceSlice, ProfileItem } from '../../../contract/state'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'

function service(id: string, ...names: readonly (string | ProfileItem)[]): InstanceSlice {
  const items = names.map((name) =>
    typeof name === 'string' ? { profileId: name.toLowerCase(), displayName: name } : name,
  )
  return { ...signedIn, id, profiles: { status: 'loaded', items } }
}

const university = service('vpn.example.edu', 'Lab', 'Library', 'Ward', 'Über uns')
const company = service('vpn.example.com', 'Library', 'Office', { ...wireGuard(), displayName: 'Zzz' })
const instances = [university, company]

function wireGuard(): ProfileItem {
  return { profileId: 'wg', displayName: 'WireGuard', notSupported: true }
}

const at = (instanceId: string, profileId: string): ConnectionTarget => ({ instanceId, profileId })
/** The person has unfolded both services. */
const folds = instances.map(({ id }) => ({ instanceId: id, folded: false }))
const shortcuts = (recent: ConnectionTarget[], starred: ConnectionTarget[] = []) => ({
  shortcuts: { recent, starred, folds },
})
const state = { instances, ...shortcuts([]) }
const everything = [
  ...['Lab', 'Library', 'Ward', 'Über uns'].map((name) => `Profiles of vpn.example.edu: ${name}`),
  ...['Library', 'Office', 'Zzz'].map((name) => `Profiles of vpn.example.com: ${name}`),
]

/** The names in each list of profiles, from top to bottom. */
function rows(): string[] {
  return within(screen.getByRole('region', { name: 'Services and profiles' }))
    .getAllByRole('list')
    .flatMap((list) =>
      within(list)
        .getAllByRole('listitem')
        .map(
          (item) =>
            `${list.getAttribute('aria-label') ?? ''}: ${item.querySelector('bdi')?.textContent ?? ''}`,
        ),
    )
}

const search = () => screen.getByRole('searchbox', { name: 'Find a profile or service' })

describe('the list of services', () => {
  it('shows its keys until something is typed', async () => {
    const { user } = await openWindow({ instances: [signedIn] })
    expect(screen.getByText('Ctrl F').closest('[aria-hidden]')).toBeTruthy()
    await user.type(search(), 'o')
    expect(screen.queryByText('Ctrl F')).toBeNull()
  })

  it('shows the profiles of all services, each with a button named after it', async () => {
    const { user, ran } = await openWindow(state)
    expect(rows()).toEqual(everything)
    await user.click(screen.getByRole('button', { name: 'Connect: Office' }))
    expect(ran).toEqual([{ name: 'connect', input: at('vpn.example.com', 'office') }])
  })

  it('needs no stars or recent profiles while it is short', async () => {
    await openWindow({ instances: [signedIn], ...shortcuts([at(signedIn.id, 'office')]) })
    expect(screen.queryByRole('button', { name: /^Star / })).toBeNull()
    expect(rows()).toEqual([
      'Profiles of vpn.example.org: Internet access',
      'Profiles of vpn.example.org: Office',
    ])
  })

  it('disables a profile that is not supported, and says why', async () => {
    await openWindow({ instances: [service('vpn.example.org', wireGuard())] })
    expect(screen.getByRole('button', { name: 'Connect: WireGuard' })).toHaveProperty('disabled', true)
    expect(screen.getByText('Not supported yet: it uses another VPN protocol')).toBeTruthy()
  })

  it('says how to get WireGuard for a profile that needs it', async () => {
    const needing = { ...wireGuard(), needsWireGuard: true } as const
    await openWindow({ instances: [service('vpn.example.org', needing)] })
    expect(
      screen.getByText('Needs WireGuard: install Causeway again with its installer or package'),
    ).toBeTruthy()
  })

  it('marks the profile in use instead of offering it, and keeps the others', async () => {
    const target = at(signedIn.id, 'office')
    const { change } = await openWindow({ instances: [signedIn], connection: { state: 'preparing', target } })
    const inUse = () =>
      screen.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith('Office'))?.textContent
    expect(inUse(), 'not yet connected').toMatch(/Connecting$/)
    expect(screen.queryByRole('button', { name: 'Connect: Office' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Connect: Internet access' })).toBeTruthy()
    const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
    change({ connection: { state: 'connected', target, addresses: {}, remote, since: 0 } })
    expect(inUse()).toMatch(/Active$/)
    const row = (): string | null | undefined =>
      screen.getByRole('button', { name: 'Active: Office' }).closest('[data-tone]')?.getAttribute('data-tone')
    const allTraffic = false
    change({ connection: { state: 'connected', target, addresses: {}, remote, since: 0, allTraffic } })
    expect(row(), 'green only where the promise is kept').toBe('on')
    change({
      connection: { state: 'connected', target, addresses: {}, remote, since: 0, allTraffic, routes: [] },
    })
    expect(row()).toBe('limited')
  })

  it('folds several services, with state and count in view, and remembers what was unfolded', async () => {
    const signedOut = { ...company, login: 'signed-out' } as const
    const { user, ran, change } = await openWindow({ instances: [university, signedOut] })
    expect(screen.queryAllByRole('listitem')).toEqual([])
    expect(
      screen.getByRole('button', { name: 'vpn.example.com 3 · Not signed in', expanded: false }),
    ).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'vpn.example.edu 4', expanded: false }))
    expect(ran).toEqual([{ name: 'foldService', input: { instanceId: 'vpn.example.edu', folded: false } }])
    change(state)
    expect(rows()).toEqual(everything)
  })

  it('connects once with a row that is clicked twice, and keeps the focus there', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn] })
    await user.dblClick(screen.getByRole('button', { name: 'Connect: Office' }))
    expect(ran).toEqual([{ name: 'connect', input: at(signedIn.id, 'office') }])
    change({ connection: { state: 'preparing', target: at(signedIn.id, 'office') } })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Connecting: Office' }))
  })

  it('moves the focus between the rows with the arrow keys', async () => {
    const { user } = await openWindow(state)
    screen.getByRole('button', { name: 'Connect: Über uns' }).focus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Connect: Office' }))
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Connect: Ward' }))
  })
})

describe('the search', () => {
  it('looks for several words in the names of profiles and services, whatever case and accents', async () => {
    const { user } = await openWindow(state)
    await user.type(search(), 'EXAMPLE.COM lib')
    expect(rows()).toEqual(['Matching profiles: Library'])
    await user.clear(search())
    await user.type(search(), 'uber')
    expect(rows()).toEqual(['Matching profiles: Über uns'])
    await user.type(search(), ' nothing')
    expect(screen.getByText('No matching profiles.')).toBeTruthy()
    await user.keyboard('{Enter}')
    await user.clear(search())
    expect(rows()).toHaveLength(7)
  })

  it('marks the match that Enter connects, which the arrow keys move', async () => {
    const { user, ran } = await openWindow(state)
    const marked = () => document.querySelector('[data-marked]')?.textContent
    expect(marked()).toBeUndefined()
    await user.type(search(), 'library')
    await waitFor(() => {
      expect(marked()).toContain('Library')
    })
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(ran).toEqual([{ name: 'connect', input: at('vpn.example.com', 'library') }])
  })

  it('connects with the first profile found on Enter', async () => {
    const { user, ran } = await openWindow(state)
    await user.type(search(), '{Enter}')
    expect(ran).toEqual([])
    await user.type(search(), 'library{Enter}')
    expect(ran).toEqual([{ name: 'connect', input: at('vpn.example.edu', 'library') }])
  })

  it('connects on Enter with none that is not supported or in use', async () => {
    const { user, ran, change } = await openWindow(state)
    await user.type(search(), 'zzz{Enter}')
    change({ connection: { state: 'preparing', target: at('vpn.example.com', 'office') } })
    await user.clear(search())
    await user.type(search(), 'office{Enter}')
    expect(ran).toEqual([])
  })

  it("says why the profile found can't be connected", async () => {
    const error = { code: 'usage/unknown-instance', message: '' } as const
    const { user } = await openWindow(state, () => ({ ok: false, error }))
    await user.type(search(), 'office{Enter}')
    const stage = screen.getByRole('region', { name: 'Connection' })
    expect(stage.textContent).toContain('This service is no longer in your list.')
  })

  it('finds in a folded service too', async () => {
    const { user } = await openWindow({ instances })
    await user.type(search(), 'office')
    expect(rows()).toEqual(['Matching profiles: Office'])
  })

  it('shows the best match first, of whatever service, and marks it', async () => {
    const institute = {
      ...service('vpn.example.net', 'Laboratory 0', 'Laboratory 10', 'Laboratory 2'),
      listing: { name: 'Institute of Applied Sciences 1', supportContacts: [] },
    }
    const other = service('vpn.example.org', 'Laboratory 1')
    const { user, ran } = await openWindow({ instances: [institute, other] })
    await user.type(search(), 'lab 1')
    expect(rows()).toEqual(
      ['Laboratory 1', 'Laboratory 10', 'Laboratory 0', 'Laboratory 2'].map(
        (name) => `Matching profiles: ${name}`,
      ),
    )
    expect(document.querySelector('[data-marked]')?.textContent).toContain('Laboratory 1vpn.example.org')
    await user.keyboard('{Enter}')
    expect(ran).toEqual([{ name: 'connect', input: at('vpn.example.org', 'laboratory 1') }])
  })

  it('connects with what was typed last, although it may not be found and marked yet', async () => {
    const { ran } = await openWindow({ instances: [service('vpn.example.edu', 'Lab 10', 'Lab 1')] })
    fireEvent.change(search(), { target: { value: 'lab' } })
    act(() => {
      // React renders what is found in a later task.
      search().dispatchEvent(new InputEvent('input', { bubbles: true }))
      fireEvent.change(search(), { target: { value: 'lab 1' } })
      fireEvent.submit(search())
    })
    await waitFor(() => {
      expect(ran).toEqual([{ name: 'connect', input: at('vpn.example.edu', 'lab 1') }])
    })
  })

  it('finds a service in which nobody has signed in yet, by its name', async () => {
    const institute: InstanceSlice = {
      ...signedIn,
      id: 'vpn.example.net',
      login: 'signed-out',
      profiles: { status: 'unknown', items: [] },
      listing: { name: 'Sample Institute', supportContacts: [] },
    }
    const { user } = await openWindow({ instances: [university, institute] })
    await user.type(search(), 'sample')
    expect(screen.getByRole('region', { name: 'Sample Institute' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'vpn.example.edu' })).toBeNull()
    expect(screen.queryByText('No matching profiles.')).toBeNull()
  })

  it('gets the focus by Ctrl+F, from another view too', async () => {
    const { user } = await openWindow(state)
    await user.keyboard('{Control>}f{/Control}')
    await expect.poll(() => document.activeElement === search()).toBe(true)
    await visit(user, 'Messages')
    await user.keyboard('{Control>}f{/Control}')
    // The view follows the address in a later task, so the field isn't there at once.
    const field = await screen.findByRole('searchbox', { name: 'Find a profile or service' })
    await expect.poll(() => document.activeElement === field).toBe(true)
  })
})

describe('recent and starred profiles', () => {
  const recent = [
    at('vpn.example.com', 'office'),
    at('gone.example.org', 'lab'),
    at('vpn.example.edu', 'ward'),
    at('vpn.example.com', 'library'),
    at('vpn.example.edu', 'lab'),
  ]

  it('stand on top, the starred first, and stay in their services', async () => {
    await openWindow({ instances, ...shortcuts(recent, [at('vpn.example.edu', 'ward')]) })
    expect(rows()).toEqual([
      ...['Ward', 'Office', 'Library', 'Lab'].map((name) => `Recent and starred: ${name}`),
      ...everything,
    ])
  })

  it('are the three most recent that are still offered', async () => {
    await openWindow({ instances, ...shortcuts(recent) })
    expect(rows().filter((row) => row.startsWith('Recent and'))).toEqual(
      ['Office', 'Ward', 'Library'].map((name) => `Recent and starred: ${name}`),
    )
  })

  it('do not move when a profile is connected', async () => {
    const { user, change } = await openWindow({ instances, ...shortcuts(recent) })
    const before = rows()
    const lab = at('vpn.example.edu', 'lab')
    change({ connection: { state: 'preparing', target: lab }, ...shortcuts([lab, ...recent]) })
    expect(rows()).toEqual(before)
    await visit(user, 'Messages')
    await visit(user, /^Connection/)
    expect(rows()[0]).toBe('Recent and starred: Lab')
  })

  it('appear if main reads them after the window opened, but not after the first connection', async () => {
    const { change } = await openWindow(state)
    change(shortcuts(recent))
    expect(rows()[0]).toBe('Recent and starred: Office')
    cleanup()

    const fresh = await openWindow(state)
    const before = rows()
    const lab = at('vpn.example.edu', 'lab')
    fresh.change({ connection: { state: 'preparing', target: lab }, ...shortcuts([lab]) })
    expect(rows()).toEqual(before)
  })

  it('name a listed organization, which can be searched for', async () => {
    const listed = { ...university, listing: { name: 'Example University', supportContacts: [] } }
    const { user } = await openWindow({ instances: [listed, company], ...shortcuts(recent) })
    const top = within(screen.getByRole('list', { name: 'Recent and starred' }))
    expect(top.getAllByText('Example University')).toHaveLength(1)
    await user.type(search(), 'university ward')
    expect(rows()).toEqual(['Matching profiles: Ward'])
  })

  it('are starred and unstarred by a button, without moving any row', async () => {
    const { user, ran, change } = await openWindow(state)
    const star = (pressed: boolean) => screen.getByRole('button', { name: 'Star Ward', pressed })
    await user.click(star(false))
    change(shortcuts([], [at('vpn.example.edu', 'ward')]))
    expect(rows()).toEqual(everything)
    await user.click(star(true))
    const input = at('vpn.example.edu', 'ward')
    expect(ran).toEqual([
      { name: 'starProfile', input: { ...input, starred: true } },
      { name: 'starProfile', input: { ...input, starred: false } },
    ])
    await visit(user, 'Messages')
    await visit(user, /^Connection/)
    expect(rows()[0]).toBe('Recent and starred: Ward')
  })

  it("say why a profile couldn't be starred", async () => {
    const error = { code: 'data/unwritable', message: '' } as const
    const { user } = await openWindow(state, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Star Ward' }))
    const stage = screen.getByRole('region', { name: 'Connection' })
    expect(stage.querySelector('[title]')?.getAttribute('title')).toContain('data/unwritable')
  })
})

describe('the dialog to add a service', () => {
  const added = (name: CommandName) => ({
    ok: true,
    value: name === 'readPlace' ? { kind: 'address', hosts: [] } : { instanceId: 'vpn.example.com' },
  })
  const dialog = () => screen.queryByRole('dialog', { name: 'Add a service' })

  it.each([
    ['short', [signedIn]],
    ['long', instances],
  ])('opens from a %s list, with the focus in the address, and closes by Escape', async (_what, shown) => {
    const { user, ran } = await openWindow({ instances: shown })
    await user.click(screen.getByRole('button', { name: 'Add a service' }))
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Where do you study or work?' }))
    await user.keyboard('{Escape}')
    expect(dialog()).toBeNull()
    expect(ran).toEqual([])
  })

  it('opens by Ctrl+N, from another view too, and closes by its button', async () => {
    const { user } = await openWindow(state)
    await visit(user, 'Settings')
    await user.keyboard('{Control>}n{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Add a service' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Not now' }))
    expect(dialog()).toBeNull()
  })

  it('closes when the service is added, and moves the focus to it', async () => {
    const { user, ran, change } = await openWindow({ instances: [university] }, added)
    await user.click(screen.getByRole('button', { name: 'Add a service' }))
    await user.keyboard('vpn.example.com{Enter}')
    expect(ran.slice(1)).toEqual([
      { name: 'addInstance', input: { address: 'vpn.example.com' } },
      { name: 'logIn', input: { instanceId: 'vpn.example.com' } },
      { name: 'foldService', input: { instanceId: 'vpn.example.com', folded: false } },
    ])
    expect(dialog()).toBeNull()
    change({ instances: [university, { ...company, login: 'signed-out' }] })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign in' }))
  })

  it('moves the focus to a service that a search had found, once', async () => {
    const { user } = await openWindow(state, added)
    await user.type(search(), 'office')
    await user.click(screen.getByRole('button', { name: 'Add a service' }))
    await user.keyboard('vpn.example.com{Enter}')
    const fold = await screen.findByRole('button', { name: /^vpn\.example\.com/ })
    await waitFor(() => {
      expect(document.activeElement).toBe(fold)
    })
    await user.type(search(), 'library')
    await user.clear(search())
    await waitFor(() => {
      expect(rows()).toHaveLength(7)
    })
    expect(document.activeElement).toBe(search())
  })

  it("stays open with the reason when the service can't be added", async () => {
    const error = { code: 'discovery/not-found', message: '' } as const
    const { user } = await openWindow({ instances: [university] }, () => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Add a service' }))
    await user.keyboard('vpn.example.com{Enter}')
    expect(within(dialog() ?? document.body).getByRole('alert').textContent).toContain(
      "There's no VPN service",
    )
  })
})
