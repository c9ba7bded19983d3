import type { UserEvent } from '@testing-library/user-event'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn, visitSection } from '../../fake-bridge.testing'

/** Chooses from the menu of the service. */
async function choose(user: UserEvent, item: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'More for Example College' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

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
    expect(screen.getByRole('heading', { name: /^Example College/ })).toBeTruthy()
    await choose(user, 'Location…')
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Location' })
    expect([...select.options].map(({ text }) => text)).toEqual(['Germany', 'Netherlands'])
    expect(select.value).toBe(nl.address)
    await user.selectOptions(select, de.address)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await choose(user, 'Help desk…')
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
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
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
    const { user } = await openWindow({ instances: [{ ...signedIn, listing: several }] })
    await choose(user, 'Location…')
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Location' })
    expect([...select.options].map(({ text }) => text)).toEqual([
      'Netherlands (nl.example.net)',
      'Netherlands (nl2.example.net)',
    ])
  })
})

it('the list of organizations is set with its key, and what cannot be used is said beside it', async () => {
  const { user, ran } = await openWindow({}, () => ({
    ok: false,
    error: { code: 'settings/invalid-value', message: '' },
  }))
  await visitSection(user, 'List of organizations')
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
