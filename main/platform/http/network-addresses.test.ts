import { expect, it } from 'vitest'
import { isLoopbackAddress, isPrivateAddress, isPublicAddress } from './network-addresses'

it.each([
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::a00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '100::1',
  'localhost',
  'example.org',
  '10.0.0',
  '',
])('does not treat %j as a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '100.63.255.255',
  '2a00:1450::1',
  '2606:4700::1111',
])('treats %s as a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::', false],
  ['0.0.0.0', false],
  ['localhost', false],
])('decides if %s is this computer: %s', (address, is) => {
  expect(isLoopbackAddress(address)).toBe(is)
})

it.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['192.168.0.1', true],
  ['100.64.0.1', true],
  ['::ffff:10.1.2.3', true],
  ['fd12:3456::1', true],
  ['172.32.0.1', false],
  ['169.254.169.254', false],
  ['127.0.0.1', false],
  ['fe80::1', false],
  ['8.8.8.8', false],
  ['intranet.example', false],
])('decides if %s is in a private network: %s', (address, is) => {
  expect(isPrivateAddress(address)).toBe(is)
})
