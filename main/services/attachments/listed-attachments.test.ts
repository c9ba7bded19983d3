import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import { rejection } from '../../platform/http/test-server.testing'
import type { Attachment } from './attachment'
import type { AttachmentsClient } from './attachments-client'
import { currentAttachment } from './listed-attachments'

const details = { host: 'service.example' }
const waiting = { id: 'a', status: 'IN_PROGRESS' } as Attachment

/** Returns a client that answers 404 for each attachment, as for one whose file is not uploaded yet. */
const withList = (list: AttachmentsClient['list']) => ({
  show: () => Promise.reject(new CausewayError('attachments/not-found')),
  list,
})

const listing = (...data: Attachment[]) =>
  withList(() => Promise.resolve({ data, totalCount: data.length, unreadable: 0 }))

describe('the current state of an attachment that answers 404', () => {
  it('comes from the list while its file is not uploaded yet', async () => {
    expect(await currentAttachment(listing(waiting), 'a')).toBe(waiting)
  })

  it('is not found if the list does not contain it', async () => {
    expect(await rejection(currentAttachment(listing(waiting), 'b'))).toMatchObject({
      code: 'attachments/not-found',
    })
  })

  it.each([
    new CausewayError('http/unreachable', { details: { ...details, reason: 'reset' } }),
    new CausewayError('http/timed-out', { details }),
    new CausewayError('attachments/forbidden', { details: { ...details, status: 403 } }),
    new CausewayError('attachments/unavailable', { details: { ...details, status: 503 } }),
    requestCancelled(),
  ])('is unknown, not missing, if the list fails with $code', async (error) => {
    expect(
      await rejection(
        currentAttachment(
          withList(() => Promise.reject(error)),
          'a',
        ),
      ),
    ).toBe(error)
  })
})
