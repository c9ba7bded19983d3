import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { certificatePem } from './certificate-der'
import { ecKeyPair, privateKeyPem, signRepeatably } from './ec-key'

const keys = ecKeyPair(Buffer.alloc(48, 'one'))

it('derives the same key pair from the same bytes, and another from other bytes', () => {
  expect(privateKeyPem(ecKeyPair(Buffer.alloc(48, 'one')).privateKey)).toBe(privateKeyPem(keys.privateKey))
  expect(privateKeyPem(ecKeyPair(Buffer.alloc(48, 'two')).privateKey)).not.toBe(
    privateKeyPem(keys.privateKey),
  )
})

it('signs deterministically, and node:crypto verifies the signature', () => {
  const data = Buffer.from('to be signed')
  const signature = signRepeatably(data, keys.privateKey)
  expect(signRepeatably(data, keys.privateKey)).toEqual(signature)
  expect(verify('sha256', data, createPublicKey(privateKeyPem(keys.privateKey)), signature)).toBe(true)
  expect(verify('sha256', Buffer.from('something else'), keys.publicKey, signature)).toBe(false)
})

it('writes readable certificates for any position of the clock', () => {
  const read = (notBefore: string, notAfter: string) => {
    const pem = certificatePem(
      {
        role: 'client',
        commonName: 'a',
        issuerCommonName: 'b',
        serialNumber: '40'.repeat(16),
        notBefore: new Date(notBefore),
        notAfter: new Date(notAfter),
        publicKey: keys.publicKey,
        issuerPublicKey: keys.publicKey,
      },
      keys.privateKey,
    )
    const { validFrom, validTo } = new X509Certificate(pem)
    return [new Date(validFrom).getUTCFullYear(), new Date(validTo).getUTCFullYear()]
  }
  expect(read('1940-01-01T00:00:00Z', '2049-12-31T23:59:59Z')).toEqual([1940, 2049])
  expect(read('2050-01-01T00:00:00Z', '+012000-01-01T00:00:00Z')).toEqual([2050, 9999])
})
