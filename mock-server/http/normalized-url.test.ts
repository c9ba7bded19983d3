import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { serveMock } from '../test-server'

const page = 'https://app.test.example'
const { server, client } = await serveMock({ api: '2,3', cors: [page] })
const { port } = new URL(server.origin)

/** Sends an address as it is, which fetch would change. */
async function ask(address: string, method = 'GET') {
  const socket = connect(Number(port), '127.0.0.1')
  const head = `Host: 127.0.0.1:${port}\r\nOrigin: ${page}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
  socket.write(`${method} ${address} HTTP/1.1\r\n${head}`)
  const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers, body }
}

/** The same address as a client sends it to a proxy, and with an encoded letter. */
const waysToWrite = (path: string) => [
  path,
  `${server.origin}${path}`,
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]

it.each(['/api/vpn/profile_list', '/api/vpn/none', '/api/v3/info'])(
  'requires a token for %s, however its address is written',
  async (path) => {
    for (const address of waysToWrite(path)) expect((await ask(address)).status, address).toBe(401)
  },
)

it.each([
  ['/api/orgs/99', { message: 'Organization not found' }],
  ['/v2.0.0/attachments/none', { statusCode: 404, error: 'Not Found' }],
])(
  'answers errors of %s in the format of its interface, however its address is written',
  async (path, body) => {
    for (const address of waysToWrite(path))
      expect(JSON.parse((await ask(address)).body), address).toMatchObject(body)
  },
)

it('opens control calls to no page, and keeps them out of the journal', async () => {
  await client.control('DELETE', '/requests')
  for (const address of [...waysToWrite('/_mock/requests'), '/%5Fmock/requests', '/%5fmock/requests']) {
    const { headers, body } = await ask(address)
    expect(headers, address).not.toContain('access-control')
    expect(JSON.parse(body), address).toEqual([])
  }
})

it('matches faults and the journal, however an address is written', async () => {
  await client.control('POST', '/faults', { match: { path: '/api/%6frg' }, fault: { status: 503 } })
  for (const address of waysToWrite('/api/org')) expect((await ask(address)).status, address).toBe(503)
  await client.control('DELETE', '/faults')
  await server.expectRequest({ path: '/api/org' }).times(3)
})

it('finds a world, however its address is written', async () => {
  const { origin } = await server.world('written')
  for (const address of [...waysToWrite('/_world/written/info.json'), '/%5Fworld/writte%6E/info.json'])
    expect((await ask(address)).body, address).toContain(`${origin}/api/vpn`)
})
