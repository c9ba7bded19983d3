import { expect, it } from 'vitest'
import { socketPath } from './refusals'

it('takes no path for a socket that OpenVPN would cut', () => {
  const longest = `/${'é'.repeat(48)}`
  expect(socketPath(longest, 'socket-12')).toHaveLength(59)
  expect(() => socketPath(`${longest}x`, 'socket-12')).toThrow('too long for a socket')
})
