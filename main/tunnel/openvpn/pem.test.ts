import { expect, it } from 'vitest'
import { rebuildClientKeyV2 } from './pem'

const key = (base64: string) =>
  `-----BEGIN OpenVPN tls-crypt-v2 client key-----\n${base64}\n-----END OpenVPN tls-crypt-v2 client key-----`
const base64 = Buffer.alloc(320, 7).toString('base64')

it('writes a key again from its bytes, in lines of 64 characters', () => {
  const rebuilt = rebuildClientKeyV2(`comment\n${key(base64)}\ncomment`)
  expect(rebuilt).toBe(key(base64.replace(/.{64}(?=.)/g, '$&\n')))
})

it.each([
  ['a character that base64 does not have', base64.replace(/^./, '$&!')],
  ['bits after the last byte', base64.replace(/c=$/, 'd=')],
  ['no padding', base64.replaceAll('=', '')],
  ['nothing', ''],
])('refuses %s', (_what, body) => {
  expect(body).not.toBe(base64)
  expect(rebuildClientKeyV2(key(body))).toBeUndefined()
})
