import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { openWindow, signedIn } from './fake-bridge.testing'

describe('the window', () => {
  it('has a link to each of its views, and says which one is shown', async () => {
    const { user } = await openWindow()
    const names = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']
    const links = within(screen.getByRole('navigation')).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual(names)
    for (const name of names.slice(1)) {
      await user.click(screen.getByRole('link', { name }))
      expect(await screen.findByRole('heading', { name, level: 1 })).toBeTruthy()
      expect(screen.getByRole('link', { current: 'page' }).textContent).toBe(name)
    }
  })

  it('goes to the view that main asks for, such as from its menu, and says that it is there', async () => {
    const { ran, change } = await openWindow()
    change({ wanted: 'messages' })
    expect(await screen.findByRole('heading', { name: 'Messages', level: 1 })).toBeTruthy()
    expect(ran).toEqual([{ name: 'arrivedAt', input: { view: 'messages' } }])
  })

  it('shows what went wrong before it was there until that is read', async () => {
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

  it('says so when a view breaks, and keeps the way to the others', async () => {
    const { user } = await openWindow({
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
    // React writes there what an error boundary catches.
    const reported = vi.spyOn(console, 'error').mockReturnValue(undefined)
    await user.click(screen.getByRole('link', { name: 'Messages' }))
    expect((await screen.findByRole('alert')).textContent).toContain("This view can't be shown")
    await user.click(screen.getByRole('link', { name: 'Settings' }))
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
    expect(reported).toHaveBeenCalled()
    reported.mockRestore()
  })
})
