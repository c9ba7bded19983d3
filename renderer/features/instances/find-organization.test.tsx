import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'

const found = [
  { id: 'https://idp.example.net/college', type: 'secure_internet', name: 'Example College' },
  {
    id: 'https://vpn.example.org/',
    type: 'institute_access',
    name: 'Example University',
    host: 'vpn.example.org',
  },
]
const searchable = { organizationSearch: { available: true } }
const answers = (value: object) => (name: CommandName) =>
  name === 'searchOrganizations'
    ? { ok: true, value: { unreadable: 0, ...value } }
    : { ok: true, value: { instanceId: 'vpn.example.org' } }

it('says how many entries of the lists can’t be read', async () => {
  const { user } = await openWindow(searchable, answers({ found, total: 2, unreadable: 1 }))
  await user.keyboard('ex')
  expect(await screen.findByText("1 item couldn't be read and isn't shown.")).toBeTruthy()
})

describe('who has just started Causeway, with a list of organizations', () => {
  it('types the name of their organization at once, and adds it with the keyboard', async () => {
    const { user, ran } = await openWindow(searchable, answers({ found, total: 2 }))
    const field = screen.getByRole('combobox', { name: 'Which organization are you with?' })
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-expanded')).toBe('false')
    await user.keyboard('ex')
    expect(await screen.findByText('Organizations found: 2')).toBeTruthy()
    const list = screen.getByRole('listbox', { name: 'Organizations found' })
    expect(field.getAttribute('aria-controls')).toBe(list.id)
    expect(
      within(list)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Example CollegeSecure internet', 'Example UniversityInstitute access · vpn.example.org'])
    await user.keyboard('{ArrowDown}{ArrowDown}')
    const chosen = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
    expect(chosen?.textContent).toContain('Example University')
    await user.keyboard('{Enter}')
    expect(ran.filter(({ name }) => name === 'addOrganization')).toEqual([
      { name: 'addOrganization', input: { id: 'https://vpn.example.org/' } },
    ])
  })

  it('adds an organization with the mouse, and nothing by pressing Enter in the field', async () => {
    const { user, ran } = await openWindow(searchable, answers({ found, total: 2 }))
    await user.keyboard('ex{Enter}')
    expect(ran.map(({ name }) => name)).not.toContain('addOrganization')
    await user.click(await screen.findByRole('option', { name: /Example College/ }))
    expect(ran.at(-1)).toEqual({ name: 'addOrganization', input: { id: 'https://idp.example.net/college' } })
  })

  it('announces how many match, that none match, and that the list may be old', async () => {
    const first = await openWindow(searchable, answers({ found, total: 600 }))
    await first.user.keyboard('e')
    expect(await screen.findByText(/^Showing the first 2 of 600\./)).toBeTruthy()
    const problem = { code: 'organization-list/unavailable', message: '' }
    const second = await openWindow(searchable, answers({ found: [], total: 0, problem }))
    await second.user.type(screen.getAllByRole('combobox').at(-1) ?? document.body, 'x')
    expect(await screen.findByText(/^No matching organizations\./)).toBeTruthy()
    expect(screen.getByText(/isn't available right now/)).toBeTruthy()
    await second.user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/isn't available right now/)).toBeNull()
  })

  it('can enter an address instead, and search again', async () => {
    const { user, ran } = await openWindow(searchable)
    await user.click(screen.getByRole('button', { name: 'Enter an address instead' }))
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Address' }))
    await user.keyboard('vpn.example.org{Enter}')
    expect(ran.at(-1)).toEqual({ name: 'addInstance', input: { address: 'vpn.example.org' } })
    await user.click(screen.getByRole('button', { name: 'Search for your organization instead' }))
    expect(document.activeElement).toBe(screen.getByRole('combobox'))
  })

  it('is told in words what went wrong, and can try again', async () => {
    const error = { code: 'organization-list/invalid-signature', message: '' }
    const { user } = await openWindow(searchable, () => ({ ok: false, error }))
    await user.keyboard('x')
    expect((await screen.findByRole('alert')).textContent).toContain("isn't signed by its publisher")
  })
})

describe('an instance from the list', () => {
  const nl = { address: 'https://nl.example.net/', countryCode: 'NL' }
  const de = { address: 'https://de.example.net/', countryCode: 'DE' }
  const listing = {
    name: 'Example College',
    supportContacts: ['mailto:help@example.net', 'https://help.example.net/'],
    location: { chosen: nl, choices: [nl, de] },
  }

  it('shows its name, its location by country, and how to reach its help desk', async () => {
    const { user, ran } = await openWindow({ instances: [{ ...signedIn, listing }] })
    expect(screen.getByRole('heading', { name: 'Example College' })).toBeTruthy()
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Location' })
    expect([...select.options].map(({ text }) => text)).toEqual(['🇩🇪 Germany', '🇳🇱 Netherlands'])
    expect(select.value).toBe(nl.address)
    await user.selectOptions(select, de.address)
    const help = within(screen.getByRole('list', { name: 'Help desk of Example College' }))
    await user.click(help.getByRole('button', { name: /help@example\.net/ }))
    await user.click(help.getByRole('button', { name: 'help.example.net' }))
    expect(ran).toEqual([
      { name: 'setLocation', input: { instanceId: signedIn.id, address: de.address } },
      { name: 'copyText', input: { text: 'help@example.net' } },
      {
        name: 'openSupportContact',
        input: { instanceId: signedIn.id, contact: 'https://help.example.net/' },
      },
    ])
  })

  it('asks for another location once the chosen one is gone, and says that it left the list', async () => {
    const gone = {
      ...listing,
      delisted: true as const,
      location: { ...listing.location, gone: true as const },
    }
    await openWindow({ instances: [{ ...signedIn, listing: gone }] })
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Location' })
    expect(select.value).toBe('')
    expect(select.selectedOptions[0]?.text).toBe('Choose a location')
    expect(screen.getByText(/^The location that you chose is no longer offered\./)).toBeTruthy()
    expect(screen.getByText(/^Example College is no longer in the list of organizations\./)).toBeTruthy()
  })

  it('tells two locations in one country apart by their hosts', async () => {
    const other = { ...nl, address: 'https://nl2.example.net/' }
    const several = { ...listing, location: { chosen: nl, choices: [nl, other] } }
    await openWindow({ instances: [{ ...signedIn, listing: several }] })
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Location' })
    expect([...select.options].map(({ text }) => text)).toEqual([
      '🇳🇱 Netherlands (nl.example.net)',
      '🇳🇱 Netherlands (nl2.example.net)',
    ])
  })
})

it('the list of organizations is set with its key, and what cannot be used is said beside it', async () => {
  const { user, ran } = await openWindow({}, () => ({
    ok: false,
    error: { code: 'settings/invalid-value', message: '' },
  }))
  await visit(user, 'Settings')
  const form = within(await screen.findByRole('form', { name: 'List of organizations' }))
  await user.type(form.getByRole('textbox', { name: 'Address of the list' }), 'ftp://x')
  await user.type(form.getByRole('textbox', { name: 'Public key' }), 'key{Enter}')
  expect(ran.filter(({ name }) => name === 'setSetting').map(({ input }) => input)).toEqual([
    { name: 'discoveryKey', value: 'key' },
    { name: 'discovery', value: 'ftp://x' },
  ])
  expect(await form.findByText(/^This address isn't valid\./)).toBeTruthy()
  expect(form.getByText(/^This key isn't valid\./)).toBeTruthy()
})
