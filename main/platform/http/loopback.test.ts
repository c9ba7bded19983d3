import { describe, expect, it } from 'vitest'

import { isLoopbackHost, isSecureUrl } from './loopback'

describe('isLoopbackHost', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.255.1.2/',
    'http://127.1/',
    'http://[::1]:80/',
    'http://LOCALHOST/',
  ])('accepts this computer: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(true)
  })

  it.each([
    'http://128.0.0.1/',
    'http://127.0.0.1.example.org/',
    'http://localhost.example.org/',
    'http://127example.org/',
    'http://[::2]/',
    'http://10.0.0.1/',
  ])('rejects hosts of the network: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(false)
  })
})

describe('isSecureUrl', () => {
  it('rejects other schemes even on this computer', () => {
    expect(isSecureUrl(new URL('ftp://127.0.0.1/'))).toBe(false)
    expect(isSecureUrl(new URL('file:///etc/passwd'))).toBe(false)
    expect(isSecureUrl(new URL('https://vpn.example.org/'))).toBe(true)
  })
})
