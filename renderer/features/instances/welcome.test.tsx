import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn } from '../../fake-bridge.testing'

describe('who has just started Causeway', () => {
  it('types the address at once, under a title that a screen reader reads with the field', async () => {
    const { user, ran } = await openWindow()
    await user.keyboard('vpn.example.org{Enter}')
    expect(ran).toEqual([{ name: 'addInstance', input: { address: 'vpn.example.org' } }])
    const welcome = screen.getByRole('region', { name: 'Add your VPN service' })
    expect(within(welcome).getByRole('textbox', { name: 'Address' })).toBe(document.activeElement)
  })

  it('goes on at the beginning of the view when coming back to it from another one', async () => {
    const { user } = await openWindow()
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    await user.click(screen.getByRole('link', { name: 'Connection' }))
    expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Connection' }))
  })
})

it('who removed the last instance elsewhere is not taken away from where they are', async () => {
  const { user, change } = await openWindow({ instances: [signedIn] })
  const link = screen.getByRole('link', { name: 'Connection' })
  while (document.activeElement !== link) await user.tab()
  change({ instances: [] })
  expect(screen.getByRole('textbox', { name: 'Address' })).toBeTruthy()
  expect(document.activeElement).toBe(link)
})
