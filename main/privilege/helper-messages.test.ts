import { describe, expect, it } from 'vitest'
import { helperError, parseHelperMessage } from './helper-messages'

it('has a sentence of its own for a user with the most helpers at once', () => {
  const error = helperError({ message: 'failed', reason: 'too-many' })
  expect(error.code).toBe('helper/too-many-tunnels')
  expect(error.message).toContain('the most VPN connections')
})

describe('the cause of a failure', () => {
  it.each([
    ['failed stopped', { reason: 'stopped' }],
    ['failed records make-folder', { reason: 'records', step: 'make-folder' }],
    ['failed device make-device EPERM', { reason: 'device', step: 'make-device', cause: 'EPERM' }],
  ])('is read from: %s', (line, expected) => {
    const message = parseHelperMessage(`causeway-helper: ${line}`)
    expect(message).toEqual({ message: 'failed', step: undefined, cause: undefined, ...expected })
  })

  it('picks no other error than the reason alone', () => {
    const failure = { message: 'failed', reason: 'kill-switch', step: 'nft', cause: 'exit-1' } as const
    const error = helperError(failure)
    expect(error).toMatchObject({
      code: 'helper/kill-switch-failed',
      details: { reason: 'kill-switch', step: 'nft', cause: 'exit-1' },
    })
  })
})
