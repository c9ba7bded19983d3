import { expect, it } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { inline } from './loopback-server.testing'
import { configurationForDisk } from './windows-checked-configuration'

const authority = createTestAuthority()
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const lines = [
  `verify-x509-name "C=DE, CN=Köln" subject`,
  'comp-lzo no',
  '<connection>',
  'remote a.example 1194 udp',
  'fragment 1300',
  '</connection>',
]
const { text } = buildConfiguration([...lines, inline('ca', authority.certificate)].join('\n'), keyPair, {
  platform: 'win32',
  mode: 'full',
})

it('writes connection blocks and quoted words as they are', () => {
  expect(configurationForDisk(text, 'x', false)).toContain(`\n${lines.join('\n')}\n`)
})

it.each(['up /x', 'verb 9', 'ignore-unknown-option x', '<ca>\n</ca>'])(
  'accepts no other line in a block: %s',
  (line) => {
    expect(() => configurationForDisk(text.replace('fragment 1300', line), 'x', false)).toThrow(
      expect.objectContaining({ code: 'profile-configuration/forbidden-directive' }) as Error,
    )
  },
)

it('keeps the data channel with OpenVPN itself, which alone passes the kill switch', () => {
  expect(configurationForDisk(text, 'x', true)).toMatch(/\nignore-unknown-option disable-dco\ndisable-dco\n$/)
  expect(configurationForDisk(text, 'x', false)).not.toContain('disable-dco')
})
