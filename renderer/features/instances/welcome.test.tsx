import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'

describe('the first start', () => {
  it('focuses the address field, and labels it with the title for screen readers', async () => {
    const { user, ran } = await openWindow()
    await user.keyboard('vpn.example.org{Enter}')
    expect(ran).toEqual([{ name: 'addInstance', input: { address: 'vpn.example.org' } }])
    const welcome = screen.getByRole('region', { name: 'Add your VPN service' })
    expect(within(welcome).getByRole('textbox', { name: 'Address' })).toBe(document.activeElement)
  })

  it('leaves the focus at the start of the view when the user returns from another view', async () => {
    const { user } = await openWindow()
    await visit(user, 'Settings')
    await visit(user, 'Connection')
    expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Connection' }))
  })
})

it("doesn't move the focus after the last instance was removed elsewhere", async () => {
  const { user, change } = await openWindow({ instances: [signedIn] })
  const link = screen.getByRole('link', { name: 'Connection' })
  while (document.activeElement !== link) await user.tab()
  change({ instances: [] })
  expect(screen.getByRole('textbox', { name: 'Address' })).toBeTruthy()
  expect(document.activeElement).toBe(link)
})
