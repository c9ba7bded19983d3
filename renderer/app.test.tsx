import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { openWindow, signedIn, visit } from './fake-bridge.testing'

describe('the window', () => {
  it('links to every view and marks the current one', async () => {
    const { user } = await openWindow({ instances: [signedIn] }, () => ({
      ok: false,
      error: { code: 'http/unreachable', message: '' },
    }))
    const names = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']
    const links = within(screen.getByRole('navigation')).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual(names)
    for (const name of ['Messages', 'News', 'Settings']) {
      await user.click(screen.getByRole('link', { name }))
      expect(await screen.findByRole('heading', { name, level: 1 })).toBeTruthy()
      expect(screen.getByRole('link', { current: 'page' }).textContent).toBe(name)
    }
  })

  it('puts two views behind More in a narrow window, where there are six', async () => {
    const { user, change } = await openWindow({ instances: [signedIn] })
    const navigation = screen.getByRole('navigation')
    const behind = () =>
      [...navigation.querySelectorAll('[data-behind-more]')].map(({ textContent }) => textContent)
    expect(behind()).toEqual(['Organization', 'Settings'])
    const more = screen.getByRole('button', { name: 'More' })
    await user.click(more)
    expect(more.getAttribute('aria-expanded')).toBe('true')
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    expect(more.getAttribute('aria-expanded')).toBe('false')
    change({
      instances: [{ ...signedIn, services: { attachments: false, content: false, organizations: true } }],
    })
    expect(behind()).toEqual([])
  })

  it('opens the view that main requests and confirms it', async () => {
    const { ran, change } = await openWindow({ instances: [signedIn] })
    change({ wanted: 'messages' })
    expect(await screen.findByRole('heading', { name: 'Messages', level: 1 })).toBeTruthy()
    expect(ran).toEqual([{ name: 'arrivedAt', input: { view: 'messages' } }])
  })

  it('shows startup problems until they are dismissed', async () => {
    const { user, ran, change } = await openWindow({
      notices: [
        { code: 'data/damaged', message: '', details: { movedTo: '/home/ann/instances.json.corrupt-1' } },
      ],
    })
    expect(screen.getByRole('region', { name: 'Notices' }).textContent).toContain(
      '/home/ann/instances.json.corrupt-1',
    )
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(ran).toEqual([{ name: 'dismissNotices', input: undefined }])
    change({ notices: [] })
    expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull()
  })

  it('shows an error when a view crashes, and keeps the navigation', async () => {
    const { user, ran } = await openWindow({
      connection: { state: 'preparing', target: { instanceId: signedIn.id, profileId: 'office' } },
      instances: [
        {
          ...signedIn,
          messages: {
            status: 'loaded',
            items: [{ id: 'far', dateTime: 9e15, message: 'Far', type: 'notification' }],
          },
        },
      ],
    })
    // React logs errors that an error boundary catches.
    const reported = vi.spyOn(console, 'error').mockReturnValue(undefined)
    await visit(user, 'Messages')
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^This view can't be shown.*Code: internal\/unexpected$/,
    )
    await user.click(screen.getByRole('button', { name: 'Copy for help desk' }))
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(ran.slice(-2).map(({ name }) => name)).toEqual(['copySupportReport', 'disconnect'])
    await visit(user, 'Settings')
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
    expect(reported).toHaveBeenCalled()
    reported.mockRestore()
  })
})
