import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAuthorities } from './authorities'
import { createFileTransport } from './file-transport'
import { createHttpClient } from './http-client'
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

/** Returns the trust of a computer with this certificate store. */
const trustOf = (env: Record<string, string>) => new Trust(() => readAuthorities({ platform: 'linux', env }))
const hello: RequestListener = (_request, response) => {
  response.end('hello')
}
const fingerprint = (certificate: string) => new X509Certificate(certificate).fingerprint256
const signal = new AbortController().signal
const download = (trust: Trust, url: URL) =>
  createFileTransport({ trust }).get(url, { namedBy: url, headers: {}, signal }, ({ status }) =>
    Promise.resolve(status),
  )

describe.each([
  ['the system’s certificate store', 'SSL_CERT_FILE'],
  ['NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS'],
])('an authority in %s', (_what, variable) => {
  it('is trusted by requests and file transfers', async () => {
    const trust = trustOf({ [variable]: store })
    const url = await university.serve(hello)
    expect(await createHttpClient({ fetch: trust.fetch }).send(url)).toMatchObject({ text: 'hello' })
    expect(await download(trust, url)).toBe(200)
  })

  it('is trusted in addition to the authorities of Node.js', async () => {
    const authorities = await readAuthorities({ platform: 'linux', env: { [variable]: store } })
    const expected = [...rootCertificates, university.certificate].map(fingerprint)
    expect(authorities.map(fingerprint)).toEqual(expect.arrayContaining(expected))
  })
})

describe('a request that requires TLS 1.3', () => {
  const client = () => {
    const { fetch, fetchWithTls13 } = trustOf({ SSL_CERT_FILE: store })
    return createHttpClient({ fetch, fetchWithTls13 })
  }

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
    expect(await client().send(url)).toMatchObject({ text: 'hello' })
  })
})

describe('an unknown authority', () => {
  const named = {
    code: 'http/tls-failed',
    message: expect.stringContaining(
      'issued by "Stranger Root", an authority that this computer doesn\'t trust',
    ) as string,
    details: { issuer: 'Stranger Root' },
  }

  it('is rejected and named by requests and file transfers', async () => {
    const trust = trustOf({ SSL_CERT_FILE: store })
    const asked: unknown[] = []
    const url = await stranger.serve((request, response) => {
      asked.push(request.url)
      response.end()
    })
    expect(await rejection(createHttpClient({ fetch: trust.fetch }).send(url))).toMatchObject(named)
    expect(await rejection(download(trust, url))).toMatchObject(named)
    expect(asked, 'nothing is sent to a server that nobody knows').toEqual([])
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
    const http = createHttpClient({ fetch: trust.fetch })
    const plain = await startTestServer(hello)
    await http.send(plain.url('/'))
    await download(trust, plain.url('/'))
    expect(times).toBe(0)
    const url = await university.serve(hello)
    await Promise.all([http.send(url), http.send(url), download(trust, url)])
    expect(times).toBe(1)
  })
})
