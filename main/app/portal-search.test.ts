import { expect, it } from 'vitest'
import { answeringClient } from '../platform/http/answering-client.testing'
import { CausewayError } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import { createPortalSearch } from './portal-search'

const portal = (host: string) =>
  Response.json({
    api: {
      'http://eduvpn.org/api#3': {
        api_endpoint: `https://${host}/api/v3`,
        authorization_endpoint: `https://${host}/authorize`,
        token_endpoint: `https://${host}/token`,
      },
    },
  })
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** Looks with these answers by host; a host without one can't be reached. */
async function look(typed: string, answers: Readonly<Record<string, () => Response>>) {
  const asked: string[] = []
  const client = answeringClient((url) => {
    const answer = answers[url.host]
    if (answer === undefined)
      throw new CausewayError('http/unreachable', {
        details: { host: url.host, reason: 'name-not-resolved' },
      })
    return answer()
  })
  const http: HttpClient = {
    send: (url, request) => {
      asked.push(url.href)
      return client.send(url, request)
    },
  }
  const lookedUp: string[] = []
  const search = createPortalSearch({
    http,
    lookup: (host) => {
      lookedUp.push(host)
      return Promise.resolve([host === 'in.example.edu' ? '10.0.0.1' : '192.0.2.1'])
    },
  })
  const { hosts } = await search.place(typed)
  return { hosts, ...(await search.look(hosts)), asked, lookedUp }
}

it('asks only the domain of an e-mail address, over https, and never tells what is before the @', async () => {
  const { hosts, portals, asked } = await look('secret.name@student.example.edu', {
    'example.edu': () => portal('example.edu'),
    'vpn.example.edu': () => portal('vpn.example.edu'),
    'eduvpn.example.edu': () => portal('eduvpn.example.edu'),
  })
  expect(portals).toEqual(['https://vpn.example.edu/', 'https://eduvpn.example.edu/'])
  expect(asked).toEqual(hosts.map((host) => `https://${host}/.well-known/vpn-user-portal`))
  expect(hosts).toEqual([
    'student.example.edu',
    'vpn.student.example.edu',
    'eduvpn.student.example.edu',
    'vpn.example.edu',
    'eduvpn.example.edu',
  ])
})

it('follows a redirect within the organization only, and only to https', async () => {
  const { portals, asked } = await look('example.edu', {
    'example.edu': () => redirect('https://portal.example.edu/.well-known/vpn-user-portal'),
    'portal.example.edu': () => portal('portal.example.edu'),
    'vpn.example.edu': () => redirect('https://vpn.example.com/.well-known/vpn-user-portal'),
    'eduvpn.example.edu': () => redirect('http://eduvpn.example.edu/.well-known/vpn-user-portal'),
    'vpn.example.com': () => portal('vpn.example.com'),
  })
  expect(portals).toEqual(['https://example.edu/'])
  expect(asked.filter((url) => !/^https:\/\/[a-z]*\.?example\.edu\//.test(url))).toEqual([])
})

it('looks up no name of others that a portal names, and takes none of theirs that is no name', async () => {
  const { portals, lookedUp } = await look('example.edu', {
    'example.edu': () => portal('vpn.example.com'),
    'vpn.example.edu': () => portal('127.0.0.1'),
  })
  expect(portals).toEqual(['https://example.edu/'])
  expect(lookedUp).toEqual([])
})

it('takes no web page, and no portal that leads into a private network, for a portal', async () => {
  const { portals } = await look('example.edu', {
    'example.edu': () => new Response('<html>Welcome</html>'),
    'vpn.example.edu': () => portal('in.example.edu'),
    'eduvpn.example.edu': () => redirect('https://in.example.edu/'),
    'in.example.edu': () => portal('in.example.edu'),
  })
  expect(portals).toEqual([])
})

it('asks nobody about a name or an address with a port', async () => {
  for (const typed of ['Example University', '127.0.0.1:5006', 'name@localhost'])
    expect(await look(typed, {})).toEqual({
      hosts: [],
      portals: [],
      problem: undefined,
      asked: [],
      lookedUp: [],
    })
})

it('says why nothing was portals, unless there is nothing', async () => {
  const page = () => new Response('', { status: 404 })
  const expired = () => {
    throw new CausewayError('http/tls-failed', {
      details: { host: 'vpn.example.edu', reason: 'its certificate has expired' },
    })
  }
  expect(await look('example.edu', { 'example.edu': page })).toMatchObject({ problem: undefined })
  expect(await look('example.edu', {})).toMatchObject({ problem: { code: 'http/unreachable' } })
  expect(await look('example.edu', { 'example.edu': page, 'vpn.example.edu': expired })).toMatchObject({
    problem: { code: 'http/tls-failed' },
  })
})
