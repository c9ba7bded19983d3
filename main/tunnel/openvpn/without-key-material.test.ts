import { expect, it } from 'vitest'

import { withoutKeyMaterial } from './without-key-material'

it.each([
  [
    'Master Encrypt (cipher, AES-256-GCM): 01234567 89abcdef 01234567 89abcdef 0123',
    'Master Encrypt (cipher, AES-256-GCM): [removed]',
  ],
  [
    "PUSH: Received control message: 'PUSH_REPLY,auth-token abc,peer-id 0'",
    "PUSH: Received control message: 'PUSH_REPLY,auth-token [removed],peer-id 0'",
  ],
  [
    "PUSH: Received control message: 'PUSH_REPLY,peer-id 0,\"auth-token\" a'b c'",
    "PUSH: Received control message: 'PUSH_REPLY,peer-id 0,\"auth-token [removed]'",
  ],
  ["Pushed option removed by filter: 'echo password x'", "Pushed option removed by filter: 'echo [removed]"],
  ['Pushed option removed by filter: \'"auth-token" x\'', "Pushed option removed by filter: ' [removed]"],
  ['A'.repeat(64), '[removed]'],
  [
    `Options error: Unrecognized option in stdin:9: ${'A'.repeat(64)} (2.6.14)`,
    'Options error: Unrecognized option in stdin:9: [removed] (2.6.14)',
  ],
  [`key: ${'0a'.repeat(32)}`, 'key: [removed]'],
])('removes keys and tokens: %s', (line, shown) => {
  expect(withoutKeyMaterial(line)).toBe(shown)
})

it.each([
  'TLS: Initial packet from [AF_INET]192.0.2.1:1194, sid=01234567 89abcdef',
  'VERIFY OK: depth=0, CN=vpn.example.org',
  "PUSH: Received control message: 'PUSH_REPLY,route 10.0.0.0 255.0.0.0,ifconfig-ipv6 2001:db8::1000/64 2001:db8::1'",
])('keeps other lines: %s', (line) => {
  expect(withoutKeyMaterial(line)).toBe(line)
})
