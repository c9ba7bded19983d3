import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { InstanceSlice, ProfileItem } from '../../../contract/state'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const [internet, office] = signedIn.profiles.items as [ProfileItem, ProfileItem]

function withProfiles(...items: ProfileItem[]): InstanceSlice {
  return { ...signedIn, profiles: { status: 'loaded', items } }
}

function connectsTo(profileId: string, instanceId = signedIn.id) {
  return { name: 'connect', input: { instanceId, profileId } }
}

describe('the only profile', () => {
  it('has the one big button, and is the one thing in its list', async () => {
    const { user, ran } = await openWindow({ instances: [withProfiles(internet)] })
    const list = screen.getByRole('list', { name: 'Profiles of vpn.example.org' })
    const [item, ...others] = within(list).getAllByRole('listitem')
    expect(others).toEqual([])
    expect(item?.textContent).toContain('Internet access')
    expect(screen.getAllByText('Internet access')).toHaveLength(1)
    await user.click(within(list).getByRole('button', { name: 'Connect' }))
    expect(ran).toEqual([connectsTo('internet')])
  })

  it('is no list while it is connected', async () => {
    await openWindow({
      instances: [withProfiles(internet)],
      connection: { state: 'preparing', target: { instanceId: signedIn.id, profileId: 'internet' } },
    })
    expect(screen.queryByRole('list', { name: /Profiles/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Connect' })).toBeNull()
  })

  it('can be had in one step while another one is connected', async () => {
    const { user, ran } = await openWindow({
      instances: [withProfiles(internet)],
      connection: { state: 'preparing', target: { instanceId: signedIn.id, profileId: 'gone' } },
    })
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(ran).toEqual([connectsTo('internet')])
  })
})

describe('of several profiles', () => {
  it('the last one has the big button, by its name, and is on top of the list', async () => {
    const { user, ran } = await openWindow({ instances: [{ ...signedIn, lastProfileId: 'office' }] })
    await user.click(screen.getByRole('button', { name: 'Connect to Office' }))
    expect(ran).toEqual([connectsTo('office')])
    const list = within(screen.getByRole('list', { name: /Profiles/ }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent.slice(0, 6))).toEqual([
      'Office',
      'Intern',
    ])
    expect(list.getAllByRole('button', { name: 'Connect' })).toHaveLength(2)
  })

  it('none is chosen for a person who has used none', async () => {
    await openWindow({ instances: [signedIn] })
    expect(screen.queryByRole('button', { name: /^Connect to/ })).toBeNull()
    expect(screen.getAllByRole('button', { name: 'Connect' })).toHaveLength(2)
  })

  it('one is found by its name where there are many', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      profileId: `p${index}`,
      displayName: `Ward ${index}`,
    }))
    const { user, change } = await openWindow({ instances: [withProfiles(...many)] })
    const field = screen.getByRole('searchbox', { name: 'Find a profile' })
    await user.type(field, 'WARD 5')
    expect(within(screen.getByRole('list', { name: /Profiles/ })).getAllByRole('listitem')).toHaveLength(1)
    await user.type(field, '0')
    expect(screen.getByText('No matching profiles.')).toBeTruthy()
    change({ instances: [withProfiles(internet, office)] })
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(within(screen.getByRole('list', { name: /Profiles/ })).getAllByRole('listitem')).toHaveLength(2)
  })
})

it('what comes of a click far below is brought into sight', async () => {
  const { change } = await openWindow({ instances: [signedIn] })
  const main = screen.getByRole('main')
  main.scrollTop = 500
  change({
    connection: { state: 'preparing', target: { instanceId: signedIn.id, profileId: 'internet' } },
  })
  expect(main.scrollTop).toBe(0)
})

describe('of several instances', () => {
  const other: InstanceSlice = { ...withProfiles(office), id: 'other.example.org' }

  it('one is shown: the one that was used, and then the one that is chosen', async () => {
    const { user, ran } = await openWindow({ instances: [other, { ...signedIn, lastProfileId: 'internet' }] })
    expect(screen.getByRole('heading', { name: 'vpn.example.org' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'other.example.org' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Instance' }), 'other.example.org')
    expect(screen.queryByRole('heading', { name: 'vpn.example.org' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(ran.at(-1)).toEqual(connectsTo('office', 'other.example.org'))
  })

  it('main is told which one is shown, also in another view: its menu connects there', async () => {
    const { user, ran, change } = await openWindow({ instances: [signedIn] })
    expect(ran).toEqual([])
    change({ instances: [signedIn, other] })
    expect(ran.at(-1)).toEqual({ name: 'showsInstance', input: { instanceId: other.id } })
    await user.click(screen.getByRole('link', { name: 'Messages' }))
    await user.click(screen.getByRole('link', { name: 'Connection' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Instance' }), signedIn.id)
    expect(ran.at(-1)).toEqual({ name: 'showsInstance', input: { instanceId: signedIn.id } })
  })

  it('the one that was just added is shown, also after a look at another view', async () => {
    const { user, change } = await openWindow({ instances: [signedIn] })
    expect(screen.queryByRole('combobox', { name: 'Instance' })).toBeNull()
    change({ instances: [signedIn, other] })
    expect(screen.getByRole('heading', { name: 'other.example.org' })).toBeTruthy()
    await user.click(screen.getByRole('link', { name: 'Messages' }))
    await user.click(screen.getByRole('link', { name: 'Connection' }))
    expect(screen.getByRole('heading', { name: 'other.example.org' })).toBeTruthy()
    change({ instances: [signedIn] })
    expect(screen.getByRole('heading', { name: 'vpn.example.org' })).toBeTruthy()
  })
})
