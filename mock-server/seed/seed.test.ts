import { expect, it } from 'vitest'
import { seedAttachments } from './attachments'

const now = Date.parse('2026-11-20T12:00:00Z')

it('gives the same attachments and files for the same seed, and others for another seed', () => {
  const first = seedAttachments(1, now)
  expect(seedAttachments(1, now)).toEqual(first)
  expect(seedAttachments(2, now)).not.toEqual(first)
})
