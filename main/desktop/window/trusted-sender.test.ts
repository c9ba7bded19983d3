import { describe, expect, it } from 'vitest'
import { isTrustedSender } from './trusted-sender'

describe('isTrustedSender', () => {
  const own = { url: 'app://causeway/index.html#settings' }

  it('trusts the main frame of our window with our page', () => {
    expect(isTrustedSender(own, own)).toBe(true)
  })

  it('does not trust a frame that is gone, nor another frame of our page', () => {
    expect(isTrustedSender(null, own)).toBe(false)
    expect(isTrustedSender({ url: own.url }, own)).toBe(false)
  })

  it.each(['app://causeway.example/index.html', 'https://example.org/', 'about:blank', ''])(
    'does not trust our window while it shows %s',
    (url) => {
      const frame = { url }
      expect(isTrustedSender(frame, frame)).toBe(false)
    },
  )
})
