import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { InstanceSlice } from '../contract/state'
import { openWindow, signedIn } from './fake-bridge.testing'

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

describe('the links to the views', () => {
  it('are those of the services that an instance has', async () => {
    const { change } = await openWindow({ instances: [offering('content')] })
    expect(links()).toEqual(['Connection', 'Messages', 'News', 'Settings'])
    change({ instances: [offering('content'), { ...offering('attachments'), id: 'other.example.org' }] })
    expect(links()).toEqual(['Connection', 'Messages', 'Attachments', 'News', 'Settings'])
  })

  it('are all there while it is not known what an instance has', async () => {
    await openWindow({ instances: [offering(), { ...signedIn, id: 'other.example.org' }] })
    expect(links()).toHaveLength(6)
  })

  it('lead back to the connection from a view that has gone', async () => {
    const { user, change } = await openWindow({ instances: [offering('content')] }, () => ({
      ok: true,
      value: { data: [] },
    }))
    await user.click(screen.getByRole('link', { name: 'News' }))
    expect(await screen.findByRole('heading', { name: 'News', level: 1 })).toBeTruthy()
    change({ instances: [offering()] })
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Connection')
    await waitFor(() => {
      expect(window.location.hash).toBe('#connection')
    })
  })
})

describe('who goes to another view', () => {
  it('is told by the title, and goes on in it', async () => {
    const { user } = await openWindow()
    expect(document.title).toBe('Connection · Causeway')
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    expect(document.title).toBe('Settings · Causeway')
    expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Settings' }))
  })

  it('can skip the links', async () => {
    const { user } = await openWindow({ instances: [signedIn] })
    await user.tab()
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })
})

describe('the keyboard', () => {
  it('goes to the views', async () => {
    const { user } = await openWindow()
    await user.keyboard('{Control>}2{/Control}')
    expect(await screen.findByRole('heading', { name: 'Messages', level: 1 })).toBeTruthy()
    await user.keyboard('{Control>},{/Control}')
    expect(await screen.findByRole('heading', { name: 'Settings', level: 1 })).toBeTruthy()
    await user.keyboard('{Control>}1{/Control}')
    expect(await screen.findByRole('textbox', { name: 'Address' })).toBeTruthy()
  })

  it('connects with what was used last, and disconnects', async () => {
    const target = { instanceId: signedIn.id, profileId: 'office' }
    const { user, ran, change } = await openWindow({ instances: [{ ...signedIn, lastProfileId: 'office' }] })
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

  it('leaves the choice to the person where there is one', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    await user.click(screen.getByRole('link', { name: 'Messages' }))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(ran.map(({ name }) => name)).not.toContain('connect')
    expect(await screen.findByText('Internet access')).toBeTruthy()
  })
})
