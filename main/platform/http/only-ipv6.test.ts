import os from 'node:os'
import { expect, it, onTestFinished, vi } from 'vitest'
import { networkFailure } from './failure'
import { hasOnlyIpv6 } from './only-ipv6'

const at = (address: string, internal = false): os.NetworkInterfaceInfo =>
  ({ address, internal }) as os.NetworkInterfaceInfo

it.each<[boolean, readonly string[]]>([
  [true, ['2001:db8::2', 'fe80::1']],
  [true, ['2001:db8::2', '169.254.3.4']],
  [false, ['2001:db8::2', '192.0.2.7']],
  [false, ['192.0.2.7']],
  [false, ['fe80::1']],
  [false, []],
])('is %s with the addresses %j', (expected, addresses) => {
  const interfaces = { lo: [at('127.0.0.1', true), at('::1', true)], eth0: addresses.map((each) => at(each)) }
  expect(hasOnlyIpv6(interfaces)).toBe(expected)
})

const noRoute = (address: string): Error =>
  Object.assign(new Error('connect'), { code: 'ENETUNREACH', address })

it.each<[string, Error, readonly string[], string]>([
  ['only IPv4', noRoute('192.0.2.1'), ['2001:db8::2'], 'no-ipv4'],
  [
    'several IPv4',
    new AggregateError([noRoute('192.0.2.1'), noRoute('192.0.2.2')]),
    ['2001:db8::2'],
    'no-ipv4',
  ],
  [
    'IPv6 too',
    new AggregateError([noRoute('192.0.2.1'), noRoute('2001:db8::1')]),
    ['2001:db8::2'],
    'no-route',
  ],
  ['only IPv4, as the network', noRoute('192.0.2.1'), ['192.0.2.7'], 'no-route'],
])('says why a server with %s cannot be reached', (_what, cause, addresses, reason) => {
  const spy = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: addresses.map((each) => at(each)) })
  onTestFinished(() => {
    spy.mockRestore()
  })
  const failure = networkFailure(
    new TypeError('fetch failed', { cause }),
    new URL('https://vpn.example.org'),
    'headers',
  )
  expect(failure).toMatchObject({ code: 'http/unreachable', details: { reason } })
  if (reason === 'no-ipv4')
    expect(failure?.message).toMatch(/^This network has only IPv6, and the server vpn\.example\.org /)
})
