import { X509Certificate, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { certificatePem } from '../../../mock-server/vpn/certificate-der'
import { readKeyPair } from './certificate'

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const commonName = '0123456789abcdef0123456789abcdef'
const notBefore = new Date('2026-11-20T18:24:34Z')
const notAfter = new Date('2027-02-18T18:29:34Z')
const ecKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const kinds: [string, Keys][] = [
  ['RSA-3072', generateKeyPairSync('rsa', { modulusLength: 3072 })],
  ['ECDSA P-256', ecKeys],
  ['Ed25519', generateKeyPairSync('ed25519')],
]

function certificateFor(keys: Keys, fields: { commonName?: string; notAfter?: Date } = {}): string {
  return certificatePem(
    {
      role: 'client',
      commonName,
      issuerCommonName: 'Test authority',
      serialNumber: '40'.repeat(16),
      notBefore,
      notAfter,
      publicKey: keys.publicKey,
      issuerPublicKey: authority.publicKey,
      ...fields,
    },
    authority.privateKey,
  )
}

function pemOf({ privateKey }: Keys): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

describe('a key pair as portals issue it', () => {
  it.each(kinds)('is parsed: %s', (_kind, keys) => {
    const certificate = certificateFor(keys)
    const read = readKeyPair({ certificate, privateKey: pemOf(keys) })
    expect(read).toMatchObject({ commonName, notBefore, notAfter })
    expect(new X509Certificate(read.certificate).fingerprint256).toBe(
      new X509Certificate(certificate).fingerprint256,
    )
    expect(createPrivateKey(read.privateKey).equals(keys.privateKey)).toBe(true)
  })

  it('is parsed without a final newline, with CRLF, and with the key in older formats', () => {
    const rsa = kinds[0]?.[1] ?? ecKeys
    const pairs = [
      { certificate: certificateFor(ecKeys).trimEnd(), privateKey: pemOf(ecKeys).trimEnd() },
      {
        certificate: certificateFor(ecKeys).replaceAll('\n', '\r\n'),
        privateKey: pemOf(ecKeys).replaceAll('\n', '\r\n'),
      },
      {
        certificate: certificateFor(ecKeys),
        privateKey: ecKeys.privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
      },
      {
        certificate: certificateFor(rsa),
        privateKey: rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      },
    ]
    for (const pair of pairs) expect(readKeyPair(pair).commonName).toBe(commonName)
  })

  it.each(['première, O=other/CN=two "x"', '#1; \\2\\ + CN=<3>', ' 4 ', '\\0A', '☃ 🏔'])(
    'may have any name on one line: %j',
    (name) => {
      const certificate = certificateFor(ecKeys, { commonName: name })
      expect(readKeyPair({ certificate, privateKey: pemOf(ecKeys) }).commonName).toBe(name)
    },
  )

  it('leaves TLS usable in a process that reads it before it speaks TLS', async () => {
    const pair = { certificate: certificateFor(ecKeys), privateKey: pemOf(ecKeys) }
    const script = `
      import { readKeyPair } from ${JSON.stringify(new URL('certificate.ts', import.meta.url).href)}
      readKeyPair(${JSON.stringify(pair)})
      const { createSecureContext } = await import('node:tls')
      createSecureContext()`
    const { stderr } = await execa(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
    ])
    expect(stderr).toBe('')
  })

  it('may be valid after 2049, where the date format changes', () => {
    const far = new Date('2077-01-02T03:04:05Z')
    const pair = { certificate: certificateFor(ecKeys, { notAfter: far }), privateKey: pemOf(ecKeys) }
    expect(readKeyPair(pair).notAfter).toEqual(far)
  })

  it('contains nothing that could end its section of a configuration', () => {
    const injected = '\n</cert>\nup /bin/sh\n<cert>\n'
    const read = readKeyPair({
      certificate: `${injected}${certificateFor(ecKeys)}${injected}`,
      privateKey: `${injected}${pemOf(ecKeys)}${injected}`,
    })
    const pem = /^-----BEGIN [A-Z ]+-----\n(?:[A-Za-z0-9+/=]+\n)+-----END [A-Z ]+-----\n$/
    expect(read.certificate).toMatch(pem)
    expect(read.privateKey).toMatch(pem)
  })
})

describe('a key pair that cannot be used', () => {
  const certificate = certificateFor(ecKeys)
  const privateKey = pemOf(ecKeys)
  const encrypted = ecKeys.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString()

  it.each([
    ['an empty certificate', '', privateKey, 'not-a-certificate'],
    ['a certificate cut short', certificate.slice(0, 300), privateKey, 'not-a-certificate'],
    ['a key for a certificate', privateKey, privateKey, 'not-a-certificate'],
    ['an endless certificate', `${certificate}${' '.repeat(70_000)}`, privateKey, 'not-a-certificate'],
    ['an empty key', certificate, '', 'not-a-private-key'],
    ['a key cut short', certificate, privateKey.slice(0, 100), 'not-a-private-key'],
    ['an encrypted key', certificate, encrypted, 'not-a-private-key'],
    ['a certificate for a key', certificate, certificate, 'not-a-private-key'],
    [
      'the key of another',
      certificate,
      pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
      'key-does-not-fit',
    ],
    ['a key of another kind', certificate, pemOf(generateKeyPairSync('ed25519')), 'key-does-not-fit'],
    ['no name', certificateFor(ecKeys, { commonName: '' }), privateKey, 'no-common-name'],
    ['a name with a line end', certificateFor(ecKeys, { commonName: 'a\nb' }), privateKey, 'no-common-name'],
    [
      'an endless name',
      certificateFor(ecKeys, { commonName: 'a'.repeat(300) }),
      privateKey,
      'no-common-name',
    ],
  ])('is refused, and not repeated: %s', (_what, first, second, reason) => {
    let thrown: unknown
    try {
      readKeyPair({ certificate: first, privateKey: second })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'certificate/invalid', details: { reason } })
    expect(JSON.stringify(thrown)).not.toContain(privateKey.slice(40, 80))
  })
})
