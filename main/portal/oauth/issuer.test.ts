import { expect, it } from 'vitest'
import { isIssuerOf, mayOmitIssuer } from './issuer'

const instance = { address: 'https://vpn.example.org/portal/' }
const endpoints = {
  authorizationEndpoint: 'https://login.example.org/tenant/oauth/authorize',
  tokenEndpoint: 'https://login.example.org/tenant/oauth/token',
  apiBaseUri: 'https://login.example.org/tenant/api',
}

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

it.each([
  { tokenEndpoint: 'https://vpn.example.org/oauth/token' },
  { apiBaseUri: 'https://vpn.example.org/api' },
  { apiBaseUri: 'https://login.example.org:8443/api' },
])('the login page of another service is not that of this instance: %o', (elsewhere) => {
  const mixed = { ...endpoints, ...elsewhere }
  expect(isIssuerOf('https://login.example.org/', instance, mixed)).toBe(false)
  expect(isIssuerOf('https://vpn.example.org/', instance, mixed)).toBe(true)
})

const api = 'https://api.example.org/api'

it.each([
  ['on the host of the instance, with its API elsewhere', 'https://vpn.example.org:8443/authorize', api],
  ['with token endpoint and API', endpoints.authorizationEndpoint, endpoints.apiBaseUri],
])('a page %s may name no issuer', (_where, authorizationEndpoint, apiBaseUri) => {
  expect(mayOmitIssuer(instance, { ...endpoints, authorizationEndpoint, apiBaseUri })).toBe(true)
})

it.each([{ tokenEndpoint: 'https://vpn.example.org/oauth/token' }, { apiBaseUri: api }])(
  'a page that may be that of another service has to name its issuer: %o',
  (elsewhere) => {
    expect(mayOmitIssuer(instance, { ...endpoints, ...elsewhere })).toBe(false)
  },
)
