import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { createAddressRules } from '../http/address-rules'
import { ReceivedHeaders } from '../http/answer-headers'
import { rejection } from '../http/test-server.testing'
import { captivePage, isBehindCaptivePortal, noticingCaptivePortals } from './captive-portal'

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
}

/** A network that answers for a server; without an answer, the server can't be reached. */
function network(answers: { readonly https?: Answer; readonly http?: Answer; readonly proxy?: boolean }) {
  const asked: string[] = []
  const getTransport = () =>
    Promise.resolve({
      addressRules: createAddressRules(),
      proxyFor: () =>
        Promise.resolve(
          answers.proxy === true
            ? { protocol: 'http:' as const, host: 'proxy.example.org', port: 8080 }
            : undefined,
        ),
      request: (url: URL) => {
        asked.push(url.href)
        const answer = answers[url.protocol === 'https:' ? 'https' : 'http']
        if (answer === undefined) return Promise.reject(new Error('no answer'))
        const headers = new ReceivedHeaders(answer.headers ?? {})
        return Promise.resolve({ status: answer.status, headers, body: Readable.from([]) })
      },
    })
  return { asked, getTransport }
}

const portals: [string, Answer][] = [
  ['a page', { status: 200 }],
  ['a way to another host', { status: 302, headers: { location: 'http://login.hotel.example/?from=vpn' } }],
  [
    'a way to another host over https',
    { status: 307, headers: { location: 'https://login.hotel.example/' } },
  ],
  ['a page of its own at the same host', { status: 302, headers: { location: '/login' } }],
  ['the status made for it', { status: 511 }],
]
const servers: [string, Answer | undefined][] = [
  ['sends to https at the same host', { status: 301, headers: { location: 'https://vpn.example.org/' } }],
  ['knows no such page', { status: 404 }],
  ['is out of order', { status: 503 }],
  ['sends nowhere', { status: 302 }],
  ['does not answer', undefined],
]

describe('after a failure of the tunnel', () => {
  const { signal } = new AbortController()
  const isBehind = (answers: Parameters<typeof network>[0], address = 'https://vpn.example.org/portal/') =>
    isBehindCaptivePortal(network(answers).getTransport, new URL(address), signal)

  it.each(portals)('detects a network that answers with %s', async (_what, http) => {
    expect(await isBehind({ http })).toBe(true)
  })

  it.each(servers)('does not mistake a server that %s for a captive portal', async (_what, http) => {
    expect(await isBehind({ http })).toBe(false)
  })

  it.each(portals)(
    'finds none where https to the server works, even with %s at port 80',
    async (_what, http) => {
      expect(await isBehind({ http, https: { status: 404 } })).toBe(false)
    },
  )

  it('leaves it to a proxy what the network requires', async () => {
    expect(await isBehind({ http: { status: 200 }, proxy: true })).toBe(false)
  })

  it('asks only the host of the server, and never this computer', async () => {
    const { asked, getTransport } = network({ http: { status: 200 } })
    await isBehindCaptivePortal(getTransport, new URL('https://vpn.example.org:8443/portal/'), signal)
    await isBehindCaptivePortal(getTransport, new URL('http://127.0.0.1:5006/'), signal)
    expect(asked.toSorted()).toEqual(['http://vpn.example.org/', 'https://vpn.example.org:8443/'])
  })
})

describe('the page of a captive portal', () => {
  const plain = 'http://vpn.example.org/'
  const sends = (location: string): Answer => ({ status: 302, headers: { location } })

  it.each<[string, Answer | undefined, string]>([
    [
      'the one that the network sends to',
      sends('http://login.hotel.example/?from=vpn'),
      'http://login.hotel.example/?from=vpn',
    ],
    ['one at the same host', sends('/login'), 'http://vpn.example.org/login'],
    ['the place that it answers in', { status: 200 }, plain],
    ['the place that it may answer in again', undefined, plain],
    ['no page of the server itself', sends('https://vpn.example.org/'), plain],
    ['no other program', sends('file:///etc/passwd'), plain],
    ['nothing that is no address', { status: 511, headers: { location: 'http://[' } }, plain],
  ])('is %s', async (_what, http, page) => {
    const { asked, getTransport } = network({ http })
    expect((await captivePage(getTransport, new URL('https://vpn.example.org:8443/portal/'))).href).toBe(page)
    expect(asked).toEqual([plain])
  })
})

describe('a request', () => {
  const url = new URL('https://vpn.example.org/info.json')
  const tlsFailed = (otherHost: boolean) =>
    new CausewayError('http/tls-failed', {
      details: { host: url.host, reason: '', ...(otherHost && { otherHost }) },
    })
  const codeAfter = async (error: CausewayError, http: Answer | undefined) => {
    const { getTransport, asked } = network({ http })
    const client = noticingCaptivePortals({ send: () => Promise.reject(error) }, getTransport)
    return { code: (await rejection(client.send(url))) as CausewayError, asked }
  }

  it.each(portals)(
    'with the certificate of another host meets a captive portal that sends %s',
    async (_what, http) => {
      expect((await codeAfter(tlsFailed(true), http)).code.code).toBe('network/captive-portal')
    },
  )

  it.each(servers)(
    'with the certificate of another host keeps its error if port 80 %s',
    async (_what, http) => {
      expect((await codeAfter(tlsFailed(true), http)).code.code).toBe('http/tls-failed')
    },
  )

  it('with a certificate in the name of the server keeps its error beside a plain page', async () => {
    expect((await codeAfter(tlsFailed(false), { status: 200 })).code.code).toBe('http/tls-failed')
    const elsewhere = { status: 302, headers: { location: 'http://login.hotel.example/' } }
    expect((await codeAfter(tlsFailed(false), elsewhere)).code.code).toBe('network/captive-portal')
  })

  it('with another failure asks nothing', async () => {
    const { code, asked } = await codeAfter(
      new CausewayError('http/unreachable', { details: { host: url.host, reason: 'refused' } }),
      { status: 200 },
    )
    expect(code.code).toBe('http/unreachable')
    expect(asked).toEqual([])
  })
})
