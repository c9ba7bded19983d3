import { expect, it } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { newStaticKey } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { redactConfiguration } from './redact-configuration'

it('keeps everything but the private key and the shared key', () => {
  const authority = createTestAuthority()
  const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  const tlsCrypt = newStaticKey()
  const { text } = buildConfiguration(
    portalProfile({ ca: authority.certificate, tlsCrypt, remotes: ['vpn.example.org'] }),
    keyPair,
    { platform: 'linux', mode: 'full' },
  )

  const shown = redactConfiguration(text)

  expect(shown).toContain('<key>\n[private key]\n</key>\n')
  expect(shown).toContain('<tls-crypt>\n[shared key]\n</tls-crypt>\n')
  expect(shown).not.toContain('PRIVATE KEY')
  for (const secret of [
    ...keyPair.privateKey.split('\n').slice(1, -2),
    ...tlsCrypt.split('\n').slice(4, -1),
  ]) {
    expect(shown).not.toContain(secret)
  }
  expect(shown.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  expect(shown).toContain('remote vpn.example.org 1194 udp')
})
