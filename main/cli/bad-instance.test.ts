import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BuiltCommand } from './causeway.testing'

vi.setConfig({ maxConcurrency: 3 })

let command: BuiltCommand

beforeAll(async () => {
  command = await BuiltCommand.make()
})
const servers: Server[] = []
afterAll(async () => {
  for (const listening of servers) listening.close().closeAllConnections()
  await command.remove()
})

async function server(answer: RequestListener): Promise<string> {
  const listening = createServer(answer).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  servers.push(listening)
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`
}

const json = (value: unknown): RequestListener => {
  return (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

describe.concurrent('an instance', () => {
  const document = (api: object) => json({ api })
  const endpoints = (target: string) => ({
    api_base_uri: `${target}api`,
    authorization_endpoint: `${target}authorize`,
    token_endpoint: `${target}token`,
  })

  it.each<[string, RequestListener, number, string]>([
    ['has no info.json', (_request, response) => response.writeHead(404).end(), 6, 'discovery/not-found'],
    ['answers with HTML', (_request, response) => response.end('<!doctype html>'), 6, 'discovery/not-json'],
    [
      'offers only another API version',
      document({ 'http://eduvpn.org/api#4': endpoints('https://vpn.example.org/') }),
      6,
      'discovery/unsupported-version',
    ],
    ['offers no VPN', document({}), 6, 'discovery/no-vpn-api'],
    [
      'announces insecure addresses',
      document({ 'http://eduvpn.org/api#2': endpoints('http://vpn.example.org/') }),
      6,
      'discovery/invalid-document',
    ],
    [
      'redirects in a loop',
      (request, response) => response.writeHead(302, { location: request.url }).end(),
      6,
      'discovery/too-many-redirects',
    ],
    [
      'redirects to plain http',
      (_request, response) => response.writeHead(301, { location: 'http://vpn.example.org/' }).end(),
      6,
      'discovery/insecure-redirect',
    ],
    [
      'sends an endless answer',
      (_request, response) => {
        const part = Buffer.alloc(64 * 1024, ' ')
        const send = () => {
          while (!response.destroyed && response.write(part)) continue
        }
        response.on('drain', send)
        send()
      },
      6,
      'http/too-large',
    ],
    ['answers 500', (_request, response) => response.writeHead(500).end(), 5, 'discovery/server-error'],
    ['closes the connection', (request) => request.socket.destroy(), 4, 'http/unreachable'],
  ])('is not added if it %s', async (_what, answer, status, code) => {
    const person = await command.person()
    expect(await person.failure(['instance', 'add', await server(answer)])).toMatchObject({ status, code })
    expect(await person.json('instance', 'list')).toEqual([])
  })

  it('is not added if it cannot be reached', async () => {
    const person = await command.person()
    // Nothing listens on port 1.
    expect(await person.failure(['instance', 'add', 'http://127.0.0.1:1'])).toMatchObject({
      status: 4,
      code: 'http/unreachable',
    })
  })
})
