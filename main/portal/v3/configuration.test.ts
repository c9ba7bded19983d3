import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newKeyPair } from './configurations.testing'
import { splitConfiguration } from './configuration'

const { certificate, privateKey } = newKeyPair()
const cert = `<cert>\n${certificate}</cert>`
const key = `<key>\n${privateKey}</key>`

describe('an OpenVPN configuration of version 3', () => {
  it('is split into its text and an Ed25519 key pair', () => {
    const split = splitConfiguration(`dev tun\n${cert}\n  ${key}\nremote vpn.example.org 1194 udp\n`)
    expect(split).toEqual({
      protocol: 'openvpn',
      profile: 'dev tun\nremote vpn.example.org 1194 udp\n',
      certificate,
      privateKey,
    })
  })

  it('is split with Windows line ends too', () => {
    const text = `dev tun\n${cert}\n${key}\n`.replaceAll('\n', '\r\n')
    expect(splitConfiguration(text)).toMatchObject({ profile: 'dev tun\r\n', certificate, privateKey })
  })

  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  it.each([
    ['no certificate', key],
    ['no key', cert],
    ['two certificates', `${cert}\n${cert}\n${key}`],
    ['two keys', `${cert}\n${key}\n${key}`],
    ['a block that does not end', `${cert}\n<key>\n${privateKey}`],
    ['a block that ends before it begins', `${cert}\n</key>\n${privateKey}<key>`],
    ['a key of another certificate', `${cert}\n<key>\n${other}</key>`],
    ['text in place of the certificate', `<cert>\nhello\n</cert>\n${key}`],
    ['text in place of the key', `${cert}\n<key>\nhello\n</key>`],
    ['a huge key', `${cert}\n<key>\n${'x'.repeat(70_000)}\n</key>`],
  ])('is refused with %s', (_what, text) => {
    expect(splitConfiguration(`dev tun\n${text}\n`)).toBeUndefined()
  })
})
