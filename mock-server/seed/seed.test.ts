import { expect, it } from 'vitest'
import { seedAttachments } from './attachments'

const now = new Date('2026-11-20T12:00:00Z')

it('the same seed gives the same attachments, another seed gives others', () => {
  const first = seedAttachments(1, now, 'http://127.0.0.1')
  expect(seedAttachments(1, now, 'http://127.0.0.1')).toEqual(first)
  expect(seedAttachments(2, now, 'http://127.0.0.1')).not.toEqual(first)
})
