import { describe, expect, it } from 'vitest'
import type { ApiVersion } from '../../contract/choices'
import { CausewayError } from '../errors'
import { rejection } from '../platform/http/test-server.testing'
import { loginRequired } from './oauth/errors'
import { openPortalReads } from './open-portal'

/** A portal of version 2 whose calls answer with this status, and that has version `later` by then. */
async function movedPortal(status: number, later: ApiVersion | 'unreachable') {
  const received: string[] = []
  let isKnown = true
  const reads = await openPortalReads({
    http: {
      send: (url) => Promise.resolve({ url, status, headers: new Headers(), text: '' }),
    },
    endpoints: () => {
      if (isKnown) return Promise.resolve({ apiVersion: 2, apiBaseUri: 'https://vpn.example.org/api' })
      if (later === 'unreachable') return Promise.reject(unreachable())
      return Promise.resolve({ apiVersion: later, apiBaseUri: 'https://vpn.example.org/api' })
    },
    expireEndpoints: () => {
      received.push('expire')
      isKnown = false
      return Promise.resolve()
    },
    tokens: {
      accessToken: () => Promise.resolve('token'),
      discardRejected: () => Promise.resolve(),
      expire: () => Promise.resolve(),
      requireVersion: (version) => (version === 2 ? Promise.resolve() : Promise.reject(loginRequired())),
    },
  })
  return { reads, received }
}

const unreachable = () => new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } })

describe('an answer that says that an address is gone', () => {
  it.each([404, 410])('(%i) asks for one login where the portal has moved to version 3', async (status) => {
    const { reads } = await movedPortal(status, 3)
    expect(await rejection(reads.profiles())).toMatchObject({ code: 'oauth/login-required' })
  })

  it.each([2, 'unreachable'] as const)(
    'stays the answer where the portal is found with %s',
    async (later) => {
      const { reads, received } = await movedPortal(404, later)
      expect(await rejection(reads.profiles())).toMatchObject({ code: 'vpn-api/refused' })
      expect(received).toEqual(['expire'])
    },
  )
})

it('looks for no other address after other refusals', async () => {
  const { reads, received } = await movedPortal(403, 3)
  expect(await rejection(reads.profiles())).toMatchObject({ code: 'vpn-api/refused' })
  expect(received).toEqual([])
})
