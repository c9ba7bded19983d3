import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { CertificateAuthority } from '../vpn/certificate-authority'
import { newAuthority } from './server-identity'

let server: MockServer | undefined
let folder: string | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

/** Gets a path over https, trusting only this CA and only a certificate for the name in the Host header. */
function get(path: string, ca: string, host: string): Promise<string> {
  const { port } = new URL(server?.origin ?? '')
  return new Promise((resolve, reject) => {
    const servername = host.replace(/:\d+$/, '')
    request({ hostname: '127.0.0.1', port, path, ca, headers: { host }, servername }, (response) => {
      text(response).then(resolve, reject)
    })
      .on('error', reject)
      .end()
  })
}

describe('a generated certificate', () => {
  it('is valid for every name that a client uses, and all addresses are https', async () => {
    server = await createMockServer({ tls: 'generated' })
    const { caFile = '', origin, instance } = server
    const ca = readFileSync(caFile, 'utf8')
    expect(instance).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/)
    for (const host of ['localhost:5006', 'mock', 'vpn.test.example']) {
      const info = await get('/info.json', ca, host)
      expect(info).toContain(`"https://${host}/api/vpn"`)
      expect(info).not.toContain('http://127')
    }
    // Clients that call an address send no name.
    const subject = await new Promise<string | undefined>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), ca }, () => {
        resolve(socket.getPeerX509Certificate()?.subjectAltName)
        socket.destroy()
      }).on('error', reject)
    })
    expect(subject).toContain('IP Address:127.0.0.1')
    expect(subject).toContain('IP Address:0:0:0:0:0:0:0:1')
    expect(subject).toContain('IP Address:10.0.2.2')
  })

  it('comes from a CA of its own at every start, which is deleted at the end', async () => {
    server = await createMockServer({ tls: 'generated' })
    const { caFile = '' } = server
    const first = new X509Certificate(readFileSync(caFile))
    expect(first.ca).toBe(true)
    await server.close()
    expect(existsSync(caFile)).toBe(false)
    server = await createMockServer({ tls: 'generated' })
    expect(new X509Certificate(readFileSync(server.caFile ?? '')).fingerprint).not.toBe(first.fingerprint)
  })
})

describe('a given CA', () => {
  it('issues a certificate for each name, for several mocks, and stays', async () => {
    folder = mkdtempSync(join(tmpdir(), 'mock-tls-test-'))
    const files = { ca: join(folder, 'ca.pem'), caKey: join(folder, 'ca.key') }
    const { certificate, privateKey } = newAuthority()
    writeFileSync(files.ca, certificate)
    writeFileSync(files.caKey, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    for (const host of ['vpn.test.example', 'other.test.example']) {
      server = await createMockServer({ tls: files })
      expect(server.caFile).toBe(files.ca)
      expect(await get('/info.json', certificate, host)).toContain(`"https://${host}/`)
      await server.close()
    }
    server = undefined
    expect(existsSync(files.ca)).toBe(true)
    writeFileSync(files.caKey, newAuthority().privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await expect(createMockServer({ tls: files })).rejects.toThrow('It must be a CA')
  })
})

describe('a given certificate', () => {
  const newFiles = () => {
    folder = mkdtempSync(join(tmpdir(), 'mock-tls-test-'))
    return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  }
  const authority = () => new CertificateAuthority({ now: () => new Date() })

  it('is shown to clients', async () => {
    const files = newFiles()
    const own = authority()
    const { certificate, private_key } = own.issueServer('vpn.test.example')
    writeFileSync(files.cert, certificate)
    writeFileSync(files.key, private_key)
    server = await createMockServer({ tls: files })
    expect(server.caFile).toBeUndefined()
    expect(await get('/info.json', own.certificate, 'vpn.test.example')).toContain(
      '"https://vpn.test.example/',
    )
  })

  it('is refused with the reason if it is missing or does not belong to its key', async () => {
    const files = newFiles()
    await expect(createMockServer({ tls: files })).rejects.toThrow(
      `The TLS certificate ${files.cert} cannot be read`,
    )
    writeFileSync(files.cert, authority().issueServer('a').certificate)
    writeFileSync(files.key, 'no key')
    await expect(createMockServer({ tls: files })).rejects.toThrow('cannot be used together')
  })
})
