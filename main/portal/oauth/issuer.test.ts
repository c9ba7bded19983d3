import { expect, it } from 'vitest'
import { isIssuerOf } from './issuer'

const instance = { address: 'https://vpn.example.org/portal/' }
const endpoints = { authorizationEndpoint: 'https://login.example.org/tenant/oauth/authorize' }

it.each([
  'https://vpn.example.org/portal/',
  'https://vpn.example.org/portal',
  'https://vpn.example.org',
  'https://vpn.example.org/',
  'https://login.example.org',
  'https://login.example.org/tenant/',
  'https://LOGIN.example.org:443/tenant',
])('%s names this instance', (iss) => {
  expect(isIssuerOf(iss, instance, endpoints)).toBe(true)
})

it.each([
  '',
  'vpn.example.org',
  'http://vpn.example.org/',
  'https://vpn.example.org.evil.example/',
  'https://vpn.example.org/portal/x',
  'https://vpn.example.org/other',
  'https://login.example.org/ten',
  'https://login.example.org/other-tenant',
  'https://user@vpn.example.org/',
  'https://vpn.example.org/?x',
])('%s does not', (iss) => {
  expect(isIssuerOf(iss, instance, endpoints)).toBe(false)
})
