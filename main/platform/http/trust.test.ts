import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAddressRules } from './address-rules'
import { readAuthorities, unreadableAuthorities } from './authorities'
import { createFileTransport } from './file-transport'
import { createHttpClient } from './http-client'
import { Transport } from './transport'
import { createTestAuthority } from './test-authority.testing'
import { rejection, startTestServer } from './test-server.testing'
import { Trust } from './trust'

const university = createTestAuthority('Example University Root')
const stranger = createTestAuthority('Stranger\nRoot')

let folder: string
let store: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-trust-'))
  store = join(folder, 'ca-certificates.crt')
  const damaged = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  await writeFile(store, `${damaged}${university.certificate}`.replaceAll('\n', '\r\n'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns a client that trusts as told. */
const clientWith = (trust: Trust) => createHttpClient(() => Promise.resolve(new Transport({ trust })))
/** Returns the trust of a computer with this certificate store. */
const trustOf = (env: Record<string, string>) => new Trust(() => readAuthorities({ platform: 'linux', env }))
const hello: RequestListener = (_request, response) => {
  response.end('hello')
}
const fingerprint = (certificate: string) => new X509Certificate(certificate).fingerprint256
const signal = new AbortController().signal
const download = (trust: Trust, url: URL) =>
  createFileTransport({ transport: new Transport({ trust }) }).get(
    url,
    { namedBy: url, headers: {}, signal },
    ({ status }) => Promise.resolve(status),
  )

describe.each([
  ['the system’s certificate store', 'SSL_CERT_FILE'],
  ['NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS'],
])('an authority in %s', (_what, variable) => {
  it('is trusted by requests and file transfers', async () => {
    const trust = trustOf({ [variable]: store })
    const url = await university.serve(hello)
    expect(await clientWith(trust).send(url)).toMatchObject({ text: 'hello' })
    expect(await download(trust, url)).toBe(200)
  })

  it('is trusted in addition to the authorities of Node.js', async () => {
    const authorities = await readAuthorities({ platform: 'linux', env: { [variable]: store } })
    const expected = [...rootCertificates, university.certificate].map(fingerprint)
    expect(authorities.map(fingerprint)).toEqual(expect.arrayContaining(expected))
  })
})

describe('a request that requires TLS 1.3', () => {
  const client = () => clientWith(trustOf({ SSL_CERT_FILE: store }))

  it('reaches a server that supports it', async () => {
    const url = await university.serve(hello)
    expect(await client().send(url, { tls13: true })).toMatchObject({ text: 'hello' })
  })

  it('refuses a server with TLS 1.2 only, which other requests accept', async () => {
    const url = await university.serve(hello, { maxVersion: 'TLSv1.2' })
    expect(await rejection(client().send(url, { tls13: true }))).toMatchObject({
      code: 'http/tls-too-old',
      details: { host: url.host },
    })
    expect(await client().send(url)).toMatchObject({ text: 'hello', hasTls13: false })
  })
})

it('is told whether the server has TLS 1.3 by the answer to any request', async () => {
  const client = clientWith(trustOf({ SSL_CERT_FILE: store }))
  const url = await university.serve(hello)
  expect(await client.send(url)).toMatchObject({ hasTls13: true })
  // On the connection that was kept.
  expect(await client.send(url)).toMatchObject({ hasTls13: true })
})

describe('an unknown authority', () => {
  it.each([
    [
      'sends its certificate',
      true,
      'issued by "Stranger Root", an authority that this computer doesn\'t trust',
    ],
    [
      "doesn't send its certificate",
      false,
      'issued by "Stranger Root", whose certificate the server doesn\'t send and this computer doesn\'t have',
    ],
  ])('is rejected and named if the server %s', async (_what, sendsIssuer, words) => {
    const trust = trustOf({ SSL_CERT_FILE: store })
    const asked: unknown[] = []
    const handler: RequestListener = (request, response) => {
      asked.push(request.url)
      response.end()
    }
    const url = await stranger.serve(handler, { sendsIssuer })
    const named = {
      code: 'http/tls-failed',
      message: expect.stringContaining(words) as string,
      details: { issuer: 'Stranger Root' },
    }
    expect(await rejection(clientWith(trust).send(url))).toMatchObject(named)
    expect(await rejection(download(trust, url))).toMatchObject(named)
    expect(asked, 'nothing is sent to a server that nobody knows').toEqual([])
  })
})

it('is not trusted either where a variable turns off the checks of Node.js', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const asked: unknown[] = []
  const url = await stranger.serve((request, response) => {
    asked.push(request.url)
    response.end()
  })
  const trust = trustOf({ SSL_CERT_FILE: store })
  const rejected = { code: 'http/tls-failed' }
  expect(await rejection(clientWith(trust).send(url))).toMatchObject(rejected)
  expect(await rejection(download(trust, url))).toMatchObject(rejected)
  const connecting = new Transport({ trust }).connect(url, createAddressRules().anyAddress)
  expect(await rejection(connecting)).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect(asked).toEqual([])
})

describe('variables that name no authorities', () => {
  it('are told with their path', async () => {
    const missing = join(folder, 'missing.pem')
    const empty = join(folder, 'empty.pem')
    await writeFile(empty, 'nothing')
    const unreadable = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
      unreadableAuthorities({ platform, env })
    expect(await unreadable({ NODE_EXTRA_CA_CERTS: missing, SSL_CERT_FILE: empty })).toEqual([
      { variable: 'NODE_EXTRA_CA_CERTS', path: missing },
      { variable: 'SSL_CERT_FILE', path: empty },
    ])
    expect(await unreadable({ SSL_CERT_FILE: empty }, 'darwin')).toEqual([])
    expect(await unreadable({ NODE_EXTRA_CA_CERTS: store, SSL_CERT_FILE: '' })).toEqual([])
  })
})

describe('an intermediate authority', () => {
  const faculty = university.under('Example Faculty CA')

  it('is trusted if the server sends its certificate', async () => {
    const url = await faculty.serve(hello, { sendsIssuer: true })
    expect(await clientWith(trustOf({ SSL_CERT_FILE: store })).send(url)).toMatchObject({ text: 'hello' })
  })

  it("is the service's fault if the server doesn't", async () => {
    const url = await faculty.serve(hello)
    const error = await rejection(clientWith(trustOf({ SSL_CERT_FILE: store })).send(url))
    expect(error).toMatchObject({ code: 'http/tls-failed', details: { issuer: 'Example Faculty CA' } })
    expect(String(error)).toContain(
      "Ask the service's administrator to add the missing intermediate certificate",
    )
  })
})

describe('the authorities of a computer', () => {
  const inStore = (type: 'default' | 'system') => (type === 'system' ? [university.certificate] : ['bundled'])

  it.each(['darwin', 'win32'] as const)('come from the certificate store on %s', async (platform) => {
    const options = { platform, env: {}, getCACertificates: inStore }
    expect(await readAuthorities(options)).toEqual(['bundled', university.certificate])
  })

  it.each(['linux', 'win32'] as const)(
    'come from Node.js if the store cannot be read on %s',
    async (platform) => {
      const getCACertificates = (type: 'default' | 'system') => {
        if (type === 'system') throw new Error('no store')
        return ['bundled']
      }
      const env = { SSL_CERT_FILE: join(folder, 'none'), NODE_EXTRA_CA_CERTS: join(folder, 'none') }
      expect(await readAuthorities({ platform, env, getCACertificates })).toEqual(['bundled'])
    },
  )

  it('are not read for plain http on this computer, and once for all https requests', async () => {
    let times = 0
    const trust = new Trust(() => {
      times += 1
      return Promise.resolve([university.certificate])
    })
    const http = clientWith(trust)
    const plain = await startTestServer(hello)
    await http.send(plain.url('/'))
    await download(trust, plain.url('/'))
    expect(times).toBe(0)
    const url = await university.serve(hello)
    await Promise.all([http.send(url), http.send(url), download(trust, url)])
    expect(times).toBe(1)
  })
})
