import { readFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createMockServer, type MockWorld } from '../server'
import { serveMock } from '../test-server'
import { testAuthority } from '../test-authority'

const { server } = await serveMock({ tls: testAuthority() })
const ca = readFileSync(server.caFile ?? '', 'utf8')
let world: MockWorld
beforeAll(async () => {
  world = await server.world('ported', { port: true })
})
afterEach(() => server.scenario())

/** Gets a document of a service as a client that trusts the CA. Resolves with its status, or with the code of the error. */
function outcome(origin: string, servername?: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const { port } = new URL(origin)
    const options = { host: '127.0.0.1', port, path: '/info.json', ca, agent: false, timeout: 500 }
    request({ ...options, ...(servername === undefined ? {} : { servername }) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('timeout', function (this: { destroy: (error: Error) => void }) {
        this.destroy(Object.assign(new Error('stalled'), { code: 'stalled' }))
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code)
      })
      .end()
  })
}

it.each([
  ['tls-certificate-expired', 'CERT_HAS_EXPIRED'],
  ['tls-certificate-not-yet-valid', 'CERT_NOT_YET_VALID'],
  ['tls-wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['tls-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['tls-unknown-authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['tls-missing-intermediate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['tls-old-version', 'EPROTO'],
  ['tls-stalled-handshake', 'stalled'],
  ['tls-closed-in-handshake', 'ECONNRESET'],
])('%s: clients fail with %s, by address and by name, and control calls work', async (scenario, code) => {
  for (const mock of [server, world]) {
    await mock.scenario(scenario)
    expect([await outcome(mock.origin), await outcome(mock.origin, 'vpn.test.example')]).toEqual([code, code])
    // The other port is as before.
    const other = mock === server ? world : server
    expect(await outcome(other.origin)).toBe(200)
    const control = await new Promise<string>((resolve, reject) => {
      plainRequest(`${mock.control.replace('https:', 'http:')}/scenarios`, { method: 'POST' }, (answer) => {
        text(answer).then(resolve, reject)
      })
        .on('error', reject)
        .end('{"names": []}')
    })
    expect(control).toBe('{"names":[]}')
    expect([await outcome(mock.origin), await outcome(mock.origin, 'vpn.test.example')]).toEqual([200, 200])
  }
})

it('tls-old-version: speaks TLS 1.1 with clients that still do', async () => {
  await server.scenario('tls-old-version')
  const options = {
    host: '127.0.0.1',
    port: server.port,
    ca,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  } as const
  const version = await new Promise<string | null>((resolve, reject) => {
    const socket = connect(options, () => {
      resolve(socket.getProtocol())
      socket.destroy()
    }).on('error', reject)
  })
  expect(version).toBe('TLSv1.1')
})

it('tls-stalled-handshake: keeps neither a world nor the mock from closing', async () => {
  const mock = await createMockServer({ tls: 'generated' })
  const ported = await mock.world('stalled', { port: true })
  for (const one of [ported, mock]) {
    await one.scenario('tls-stalled-handshake')
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(one.origin).port) })
    const closed = new Promise((resolve) => socket.on('error', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    await one.close()
    await closed
  }
})

it('tls-certificate-changed: shows another certificate, which clients can trust', async () => {
  const fingerprint = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port, ca }, () => {
        resolve(socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'pem' }).toString())
        socket.destroy()
      }).on('error', reject)
    })
  const before = await fingerprint()
  await server.scenario('tls-certificate-changed')
  expect(await fingerprint()).not.toBe(before)
  await server.scenario()
  expect(await fingerprint()).toBe(before)
})

it('refuses services without TLS on a port with it', async () => {
  const answer = await fetch(`${server.origin.replace('https:', 'http:')}/info.json`)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('speaks https')])
})

it('serves the certificate of its CA, also without TLS', async () => {
  const answer = await fetch(`${server.control.replace('https:', 'http:')}/ca.pem`)
  expect(await answer.text()).toBe(ca)
  await using none = await createMockServer()
  expect((await fetch(`${none.control}/ca.pem`)).status).toBe(404)
})

it.each([
  ['without TLS', () => createMockServer(), 'with --tls'],
  ['for a world without a port', async () => (await serverOf()).world(), 'a port of its own'],
])('is refused %s', async (_where, start, reason) => {
  const mock = await start()
  await expect(mock.scenario('tls-self-signed')).rejects.toThrow(reason)
  await mock.close()
})

const serverOf = () => Promise.resolve(server)
