import { expect, it } from 'vitest'

import { remoteShell } from './over-ssh'

const from = (address: string) => ({ SSH_CONNECTION: `${address} 51234 203.0.113.5 22` })

it.each([
  ['no SSH', {}, [], undefined],
  ['from the Internet', from('198.51.100.7'), ['203.0.113.5/24'], '198.51.100.7'],
  ['from a private network elsewhere', from('10.1.0.7'), ['10.2.0.5/24'], '10.1.0.7'],
  ['from the private network beside it', from('10.2.0.7'), ['10.2.0.5/24'], undefined],
  ['from a public network beside it', from('203.0.113.7'), ['203.0.113.5/24'], '203.0.113.7'],
  ['from this computer', from('127.0.0.1'), ['127.0.0.1/8'], undefined],
  ['a mapped address', from('::ffff:10.2.0.7'), ['10.2.0.5/24'], undefined],
  ['link-local', from('fe80::2%eth0'), ['fe80::1/64'], undefined],
  ['IPv6', from('2001:db8::7'), ['2001:db8:1::5/64'], '2001:db8::7'],
  ['a damaged variable', { SSH_CONNECTION: 'x' }, [], undefined],
] as const)('%s', (_what, env, networks, address) => {
  expect(remoteShell(env, networks)).toBe(address)
})
