import { expect, it } from 'vitest'
import { addressNumber, addressText, prefixesOf, prefixRange } from './address-range'

it.each([
  ['192.0.2.1', 4, 0xc0_00_02_01n],
  ['::', 6, 0n],
  ['::1', 6, 1n],
  ['2001:db8::1:0', 6, 0x2001_0db8_0000_0000_0000_0000_0001_0000n],
  ['::ffff:192.0.2.1', 6, 0xffff_c000_0201n],
  ['1:2:3:4:5:6:7:8', 6, 0x1_0002_0003_0004_0005_0006_0007_0008n],
])('reads %s', (text, family, value) => {
  expect(addressNumber(text)).toEqual({ family, value })
  expect(addressNumber(addressText(family === 4 ? 4 : 6, value))).toEqual({ family, value })
})

it.each([
  '',
  'x',
  '1.2.3',
  '256.0.0.0',
  'fe80::1%eth0',
  '1.2.3.4/',
  '1.2.3.4/33',
  '::/129',
  '::/-1',
  '1.2.3.4/8/8',
])('refuses %j', (text) => {
  expect(prefixRange(text)).toBeUndefined()
})

it('reads prefixes, also with bits after their length', () => {
  expect(prefixRange('10.9.8.7/8')).toEqual({ family: 4, first: 0x0a_00_00_00n, last: 0x0a_ff_ff_ffn })
  expect(prefixRange('192.0.2.1')).toEqual({ family: 4, first: 0xc0_00_02_01n, last: 0xc0_00_02_01n })
  expect(prefixRange('::/0')).toEqual({ family: 6, first: 0n, last: (1n << 128n) - 1n })
})

it.each([
  [['0.0.0.0/1', '128.0.0.0/1'], ['0.0.0.0/0']],
  [
    ['::/3', '2000::/4', '3000::/4', 'fc00::/7'],
    ['::/2', 'fc00::/7'],
  ],
  [
    ['10.1.0.0/16', '10.0.0.0/8', '192.0.2.1'],
    ['10.0.0.0/8', '192.0.2.1/32'],
  ],
  [
    ['10.0.0.1/32', '10.0.0.2/31'],
    ['10.0.0.1/32', '10.0.0.2/31'],
  ],
  [[], []],
])('covers %j with the fewest prefixes', (prefixes, expected) => {
  expect(prefixesOf(prefixes.flatMap((prefix) => prefixRange(prefix) ?? []))).toEqual(expected)
})
