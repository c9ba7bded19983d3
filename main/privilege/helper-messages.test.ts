import { expect, it } from 'vitest'

import { helperError } from './helper-messages'

it('has a sentence of its own for a user with the most helpers at once', () => {
  const error = helperError({ message: 'failed', reason: 'too-many' })
  expect(error.code).toBe('helper/too-many-tunnels')
  expect(error.message).toContain('the most VPN connections')
})
