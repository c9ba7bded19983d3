import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { answersForAnother, plainAddress } from './captive-portal'

const ask = (address: URL): Promise<boolean> => answersForAnother(address, new AbortController().signal)

async function serverThat(status: number, headers: Record<string, string> = {}): Promise<URL> {
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end('<html>Welcome to the hotel</html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`)
}

it.each([
  ['a page', 200, {}],
  ['a way to another host', 302, { location: 'http://login.hotel.example/?from=vpn' }],
  ['a way to another host over https', 307, { location: 'https://login.hotel.example/' }],
  ['a page of its own at the same host', 302, { location: '/login' }],
  ['the status made for it', 511, {}],
])('detects a network that answers with %s', async (_what, status, headers) => {
  expect(await ask(await serverThat(status, headers))).toBe(true)
})

it.each([
  ['sends to https at the same host', 301, { location: 'https://127.0.0.1/' }],
  ['knows no such page', 404, {}],
  ['is out of order', 503, {}],
  ['sends nowhere', 302, {}],
])('does not mistake an instance that %s for a captive portal', async (_what, status, headers) => {
  expect(await ask(await serverThat(status, headers))).toBe(false)
})

it('returns false without an answer', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  expect(await ask(new URL(`http://127.0.0.1:${String(port)}/`))).toBe(false)
})

it('asks only the host of the instance, and never this computer', () => {
  expect(plainAddress('https://vpn.example.org:8443/portal')?.href).toBe('http://vpn.example.org/')
  expect(plainAddress('http://127.0.0.1:5006/')).toBeUndefined()
})
