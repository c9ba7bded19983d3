import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'
import type { MessageItem } from '../../../contract/state'

const older: MessageItem = {
  id: 'older',
  dateTime: Date.UTC(2026, 10, 1),
  message: 'Older <b>bold</b>',
  type: 'notification',
}
const newer: MessageItem = {
  id: 'newer',
  dateTime: Date.UTC(2026, 10, 20),
  message: 'Newer',
  type: 'notification',
}

describe('messages', () => {
  it('are shown newest first over all instances, as text and never as markup', async () => {
    const { user } = await openWindow({
      instances: [
        { ...signedIn, messages: { status: 'loaded', items: [older] } },
        { ...signedIn, id: 'other.example.org', messages: { status: 'loaded', items: [newer] } },
      ],
    })
    await visit(user, 'Messages')
    const items = (await screen.findAllByRole('listitem')).map((item) => item.textContent)
    expect(items).toEqual([expect.stringContaining('Newer'), expect.stringContaining('Older <b>bold</b>')])
    expect(items[0]).toContain('Message from other.example.org')
    expect(screen.getByRole('list', { name: 'Messages' })).toBeTruthy()
  })

  it('have addresses that open after a question, and can be copied', async () => {
    const message = 'Read <a href="https://evil.example.com">this</a>: https://status.example.org/a?b=1.'
    const { user, ran } = await openWindow({
      instances: [{ ...signedIn, messages: { status: 'loaded', items: [{ ...newer, message }] } }],
    })
    await visit(user, 'Messages')
    expect(await screen.findByText(/<a href=/)).toBeTruthy()
    const link = screen.getByRole('button', { name: 'https://status.example.org/a?b=1' })
    await user.click(link)
    const question = within(screen.getByRole('group', { name: 'Open status.example.org in your browser?' }))
    expect(document.activeElement).toBe(question.getByRole('button', { name: 'Open' }))
    expect(ran).toEqual([])
    await user.click(question.getByRole('button', { name: 'Copy address' }))
    await user.click(question.getByRole('button', { name: 'Open' }))
    const url = 'https://status.example.org/a?b=1'
    expect(ran).toEqual([
      { name: 'copyText', input: { text: url } },
      { name: 'openContentLink', input: { url } },
    ])
    expect(screen.queryByRole('group')).toBeNull()
    expect(document.activeElement).toBe(link)
  })

  it('keep the question about an address below its message when another one arrives', async () => {
    const linked = { ...older, message: 'Read https://status.example.org/.' }
    const items = (...all: MessageItem[]) => ({
      instances: [{ ...signedIn, messages: { status: 'loaded' as const, items: all } }],
    })
    const { user, change } = await openWindow(items(linked, linked))
    await visit(user, 'Messages')
    const [, link] = await screen.findAllByRole('button', { name: 'https://status.example.org/' })
    await user.click(link ?? document.body)
    change(items({ ...newer, message: 'Read https://evil.example.com/.' }, linked, linked))
    const question = screen.getByRole('group', { name: 'Open status.example.org in your browser?' })
    expect(question.closest('li')).toBe(screen.getAllByRole('listitem')[2])
    expect(link?.getAttribute('aria-expanded')).toBe('true')
  })

  it('say "today" and "yesterday"', async () => {
    const at = (id: string, dateTime: number) => ({ ...newer, id, dateTime })
    const { user } = await openWindow({
      instances: [
        {
          ...signedIn,
          messages: { status: 'loaded', items: [at('now', Date.now()), at('past', Date.now() - 86_400_000)] },
        },
      ],
    })
    await visit(user, 'Messages')
    expect(await screen.findByText(/^today, \d+:\d\d/)).toBeTruthy()
    expect(screen.getByText(/^yesterday, \d+:\d\d/)).toBeTruthy()
  })

  it('are counted where they can’t be read', async () => {
    const { user } = await openWindow({
      instances: [{ ...signedIn, messages: { status: 'loaded', items: [older], unreadable: 1 } }],
    })
    await visit(user, 'Messages')
    expect(await screen.findByText("1 item couldn't be read and isn't shown.")).toBeTruthy()
    expect(screen.getByText('Older <b>bold</b>')).toBeTruthy()
  })

  it('are refreshed from every instance with a login', async () => {
    const { user, ran } = await openWindow({
      instances: [signedIn, { ...signedIn, id: 'other.example.org', login: 'signed-out' }],
    })
    await visit(user, 'Messages')
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    expect(ran.filter(({ name }) => name === 'refreshMessages')).toEqual([
      { name: 'refreshMessages', input: { instanceId: signedIn.id } },
    ])
    expect(
      screen.getByText('Sign in to other.example.org under Connection to read its messages.'),
    ).toBeTruthy()
  })

  it("show why they couldn't be fetched, beside the ones already known", async () => {
    const error = { code: 'http/unreachable', message: '' } as const
    const { user } = await openWindow({
      instances: [{ ...signedIn, messages: { status: 'failed', items: [older], error } }],
    })
    await visit(user, 'Messages')
    expect((await screen.findByRole('alert')).textContent).toContain("The server couldn't be reached.")
    expect(screen.getByText('Older <b>bold</b>')).toBeTruthy()
  })

  it('are counted in the navigation, and marked as new until the user leaves the view', async () => {
    const { user, ran, change } = await openWindow({
      inFront: false,
      instances: [
        { ...signedIn, messages: { status: 'loaded', items: [{ ...newer, unread: true }, older] } },
      ],
    })
    expect(screen.getByRole('link', { name: 'Messages', description: '1 unread message' })).toBeTruthy()
    await visit(user, 'Messages')
    expect((await screen.findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^New/),
      expect.not.stringMatching(/^New(?!er)/),
    ])
    expect(ran).toEqual([])

    change({ inFront: true })
    expect(ran).toEqual([{ name: 'markMessagesRead', input: { instanceId: signedIn.id, ids: ['newer'] } }])
    change({ instances: [{ ...signedIn, messages: { status: 'loaded', items: [newer, older] } }] })
    expect(screen.getByRole('link', { name: 'Messages', description: '' })).toBeTruthy()
    expect(screen.getByText('New')).toBeTruthy()
    await visit(user, 'Connection')
    await visit(user, 'Messages')
    expect(await screen.findByText('Newer')).toBeTruthy()
    expect(screen.queryByText('New')).toBeNull()
  })

  it('explain the view while there are none', async () => {
    const { user } = await openWindow({ instances: [signedIn] })
    await visit(user, 'Messages')
    expect(await screen.findByText(/planned maintenance/)).toBeTruthy()
  })
})
