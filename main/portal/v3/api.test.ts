import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import { createApiV3 } from './api'
import { configurationText } from './configurations.testing'

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const expires = 'Thu, 18 Feb 2027 12:00:00 GMT'
const issued = { 'content-type': 'application/x-openvpn-profile', expires }

/** A portal that gives these answers, one a request, and the tokens `token-1`, `token-2` and so on after each expiry. */
async function portal(...answers: readonly Answer[]) {
  const bodies: string[] = []
  const server = await startTestServer((request, response) => {
    const { status = 200, headers = {}, body = '' } = answers[bodies.length] ?? { status: 500 }
    let sent = ''
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()))
    bodies.push('')
    const index = bodies.length - 1
    request.on('end', () => {
      bodies[index] = sent
      response.writeHead(status, headers).end(body)
    })
  })
  const received: string[] = []
  let current = 1
  let location: { loginElsewhere?: true } = {}
  const real = createHttpClient()
  const tls13: unknown[] = []
  const api = createApiV3({
    http: {
      send: (url, request) => {
        tls13.push(request?.tls13)
        // These test servers have plain http.
        return real.send(url, request)
      },
    },
    endpoints: () => Promise.resolve({ apiBaseUri: `${server.origin}/api/v3`, ...location }),
    tokens: {
      accessToken: () => Promise.resolve(`token-${current}`),
      expire: (token) => {
        received.push(`expire ${token}`)
        current += 1
        return Promise.resolve()
      },
      discardRejected: (token) => {
        received.push(`discard ${token}`)
        return Promise.resolve()
      },
    },
  })
  const requests = (): readonly IncomingMessage[] => server.requests
  const atLocation = (): void => {
    location = { loginElsewhere: true }
  }
  return { api, bodies, requests, received, tls13, atLocation }
}

const wanted = { profileId: 'internet', preferTcp: false, types: ['openvpn'] } as const
const wireGuard = { 'content-type': 'application/x-wireguard-profile', expires }

describe('/connect', () => {
  it('sends a form that asks for OpenVPN only', async () => {
    const { api, requests, bodies } = await portal({ headers: issued, body: configurationText() })
    expect(await api.connect({ ...wanted, preferTcp: true })).toMatchObject({
      tunnel: { protocol: 'openvpn' },
      expires: new Date('2027-02-18T12:00:00Z'),
    })
    const [request] = requests()
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('/api/v3/connect')
    expect(request?.headers).toMatchObject({
      accept: 'application/x-openvpn-profile',
      authorization: 'Bearer token-1',
      'content-type': expect.stringContaining('application/x-www-form-urlencoded') as string,
    })
    expect(bodies).toEqual(['profile_id=internet&prefer_tcp=yes'])
  })

  it('makes a key pair for each request that asks for WireGuard, and sends only the public key', async () => {
    const answer = { headers: wireGuard, body: '[Interface]' }
    const { api, requests, bodies } = await portal(answer, answer)
    const types = ['wireguard+udp', 'wireguard+tcp', 'openvpn'] as const
    const tunnels = []
    for (let call = 0; call < 2; call += 1) {
      const { tunnel } = await api.connect({ ...wanted, types })
      if (tunnel.protocol !== 'wireguard') throw new Error('not WireGuard')
      expect(tunnel).toMatchObject({ transport: 'udp', profile: '[Interface]' })
      const key = createPrivateKey({
        format: 'der',
        type: 'pkcs8',
        key: Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), tunnel.privateKey]),
      })
      const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
      const form = new URLSearchParams(bodies[call])
      expect(Object.fromEntries(form)).toEqual({
        profile_id: 'internet',
        prefer_tcp: 'no',
        public_key: publicKey.toString('base64'),
      })
      tunnels.push(tunnel.privateKey.toString('hex'))
    }
    expect(new Set(tunnels).size).toBe(2)
    expect(requests()[0]?.headers.accept).toBe(
      'application/x-wireguard-profile, application/x-wireguard+tcp-profile, application/x-openvpn-profile',
    )
  })

  it('takes the type of the answer, and none that was not asked for', async () => {
    const tcp = { ...wireGuard, 'content-type': 'application/x-wireguard+tcp-profile' }
    const { api } = await portal(
      { headers: tcp },
      { headers: tcp },
      { headers: issued, body: configurationText() },
    )
    const types = ['wireguard+tcp'] as const
    expect(await api.connect({ ...wanted, types })).toMatchObject({ tunnel: { transport: 'tcp' } })
    for (const others of [['wireguard+udp'], ['wireguard+udp', 'wireguard+tcp']] as const)
      expect(await rejection(api.connect({ ...wanted, types: others }))).toMatchObject({
        code: 'vpn-api/invalid-response',
        details: { problems: ['content-type'] },
      })
  })

  it('accepts every successful status', async () => {
    const { api } = await portal({ status: 201, headers: issued, body: configurationText() })
    expect(await api.connect(wanted)).toMatchObject({ tunnel: { protocol: 'openvpn' } })
  })

  it.each<[string, Answer, string]>([
    [
      'a type with parameters',
      { headers: { ...issued, 'content-type': `${issued['content-type']};charset=utf-8` } },
      'content-type',
    ],
    [
      'the type of WireGuard',
      { headers: { ...issued, 'content-type': 'application/x-wireguard-profile' } },
      'content-type',
    ],
    ['no Expires', { headers: { 'content-type': issued['content-type'] } }, 'expires'],
    ['a bad Expires', { headers: { ...issued, expires: '0' } }, 'expires'],
    ['no key pair', { headers: issued, body: 'client\n' }, 'cert, key'],
  ])('refuses an answer with %s', async (_what, answer, problem) => {
    const { api } = await portal({ body: configurationText(), ...answer })
    const error = await rejection(api.connect(wanted))
    expect(error).toMatchObject({ code: 'vpn-api/invalid-response', details: { problems: [problem] } })
    expect(JSON.stringify(error) + String(error)).not.toContain('PRIVATE KEY')
  })

  it.each([
    [301, 'vpn-api/invalid-response'],
    [400, 'vpn-api/refused'],
    [403, 'vpn-api/not-allowed'],
    [404, 'vpn-api/profile-unavailable'],
    [405, 'vpn-api/refused'],
    [406, 'vpn-api/protocol-not-supported'],
    [429, 'service/busy'],
    [500, 'vpn-api/server-error'],
  ])('gives status %i the code %s', async (status, code) => {
    const { api, requests } = await portal({ status, body: '{"error":"no luck\u0007"}' })
    expect(await rejection(api.connect(wanted))).toMatchObject({ code })
    expect(requests()).toHaveLength(1)
  })

  it("keeps the portal's error text for the details", async () => {
    const { api } = await portal({ status: 500, body: '{"error":"/connect failed: no node"}' })
    expect(await rejection(api.connect(wanted))).toMatchObject({
      details: { call: 'connect', status: 500, error: '/connect failed: no node' },
    })
  })
})

describe('a 401', () => {
  const info = { body: '{"info":{"profile_list":[]}}' }

  it('refreshes the token and repeats the call once', async () => {
    const { api, requests, received } = await portal({ status: 401 }, info)
    expect(await api.info()).toEqual({ items: [], unreadable: 0 })
    expect(received).toEqual(['expire token-1'])
    expect(requests().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
  })

  it('ends the login if the refreshed token is refused too', async () => {
    const { api, requests, received } = await portal({ status: 401 }, { status: 401 }, info)
    expect(await rejection(api.info())).toMatchObject({ code: 'oauth/login-required' })
    expect(received).toEqual(['expire token-1', 'discard token-2'])
    expect(requests()).toHaveLength(2)
  })

  it('keeps the login at the home if only a location refuses the refreshed token', async () => {
    const { api, received, atLocation } = await portal({ status: 401 }, { status: 401 })
    atLocation()
    expect(await rejection(api.info())).toMatchObject({ code: 'vpn-api/refused', details: { status: 401 } })
    expect(received).toEqual(['expire token-1'])
  })

  it('is ignored when it answers /disconnect', async () => {
    const { api, requests, received } = await portal({ status: 401 })
    await rejection(api.disconnect(new AbortController().signal))
    expect(requests()).toHaveLength(1)
    expect(received).toEqual([])
  })
})

it('requires TLS 1.3 for every call', async () => {
  const { api, tls13 } = await portal(
    { body: '{"info":{"profile_list":[]}}' },
    { headers: issued, body: configurationText() },
    { status: 204 },
  )
  await api.info()
  await api.connect(wanted)
  await api.disconnect(new AbortController().signal)
  expect(tls13).toEqual([true, true, true])
})

it('sends /disconnect to the API that issued the configuration, also after the portal has moved', async () => {
  const { api, requests } = await portal({ headers: issued, body: configurationText() }, { status: 204 })
  const { apiBaseUri } = await api.connect(wanted)
  await api.disconnect(new AbortController().signal, apiBaseUri.replace('v3', 'old'))
  expect(requests().map(({ url }) => url)).toEqual(['/api/v3/connect', '/api/old/disconnect'])
})

describe('/info', () => {
  it('is refused without a list of profiles', async () => {
    const { api } = await portal({ body: '{"info":{"profile_list":[{"profile_id":7}]}}' })
    expect(await rejection(api.info())).toMatchObject({ code: 'vpn-api/invalid-response' })
  })

  it('reports the error text of the portal for a deleted account', async () => {
    const { api } = await portal({ status: 500, body: '{"error":"user \\"x\\" no longer exists"}' })
    expect(await rejection(api.info())).toMatchObject({
      code: 'vpn-api/server-error',
      details: { error: 'user "x" no longer exists' },
    })
  })
})
