import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AttachmentItem } from '../../../preload/contract'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const file: AttachmentItem = {
  id: '1',
  title: 'Lab notes <b>bold</b>',
  description: 'Goes with the first lesson.',
  type: 'INTERNAL',
  status: 'IN_PROGRESS',
  extension: 'pdf',
}
const link: AttachmentItem = { id: '2', title: 'Source code', type: 'EXTERNAL', status: 'COMPLETED' }

describe('attachments', () => {
  it('are fetched when they are first looked at, and again only when asked', async () => {
    const { user, ran } = await openWindow({ instances: [signedIn] })
    expect(ran).toEqual([])
    await user.click(screen.getByRole('link', { name: 'Attachments' }))
    const asked = { name: 'refreshAttachments', input: { instanceId: signedIn.id } }
    expect(ran).toEqual([asked])
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    expect(ran).toEqual([asked, asked])
  })

  it('say what they are, as text and never as markup', async () => {
    const attachments = { status: 'loaded', items: [file, link] } as const
    const { user, ran } = await openWindow({
      instances: [{ ...signedIn, attachments: { ...attachments, items: [...attachments.items] } }],
    })
    await user.click(screen.getByRole('link', { name: 'Attachments' }))
    const rows = (await screen.findAllByRole('listitem')).map((item) => item.textContent)
    expect(rows).toEqual([
      'Lab notes <b>bold</b>Goes with the first lesson.File (pdf) · Still being uploaded',
      'Source codeLink',
    ])
    expect(ran).toEqual([])
  })

  it('say which instance offers none, and why another could not be asked', async () => {
    const failed = (code: 'attachments/not-offered' | 'http/unreachable') =>
      ({ status: 'failed', items: [], error: { code, message: '' } }) as const
    const { user } = await openWindow({
      instances: [
        { ...signedIn, attachments: { ...failed('attachments/not-offered'), items: [] } },
        { ...signedIn, id: 'other.example.org', attachments: { ...failed('http/unreachable'), items: [] } },
      ],
    })
    await user.click(screen.getByRole('link', { name: 'Attachments' }))
    expect(await screen.findByText('vpn.example.org offers no attachments.')).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain('The server could not be reached.')
  })
})
