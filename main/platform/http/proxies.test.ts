import { describe, expect, it } from 'vitest'
import { proxyFromSystem, proxyFromVariables, proxyName } from './proxies'

const url = new URL('https://vpn.example.org/info.json')
const proxy = { protocol: 'http:', host: 'proxy.example.net', port: 3128, credentials: undefined }
const address = 'http://proxy.example.net:3128'

describe('the proxy variables', () => {
  it.each([
    ['https_proxy', {}],
    ['HTTPS_PROXY', {}],
    ['all_proxy', {}],
    ['ALL_PROXY', {}],
    ['http_proxy', {}],
    ['HTTP_PROXY', {}],
    ['https_proxy', { HTTPS_PROXY: 'http://other.example.net' }],
    ['HTTPS_PROXY', { ALL_PROXY: 'http://other.example.net', http_proxy: 'http://other.example.net' }],
    ['ALL_PROXY', { HTTPS_PROXY: '', HTTP_PROXY: 'http://other.example.net' }],
  ])('name the proxy: %s before %j', (name, others) => {
    expect(proxyFromVariables({ ...others, [name]: address }, url)).toEqual(proxy)
  })

  it.each([
    ['proxy.example.net:3128', proxy],
    [' http://proxy.example.net:3128/ ', proxy],
    ['http://proxy.example.net', { ...proxy, port: 80 }],
    ['https://proxy.example.net', { ...proxy, protocol: 'https:', port: 443 }],
    ['http://[2001:db8::1]:3128', { ...proxy, host: '2001:db8::1' }],
    [
      'http://m%C3%BCller:p%40ss%3Aw@proxy.example.net:3128',
      { ...proxy, credentials: { user: 'müller', password: 'p@ss:w' } },
    ],
    ['http://user@proxy.example.net:3128', { ...proxy, credentials: { user: 'user', password: '' } }],
    ['socks5h://proxy.example.net:1080', { problem: 'unsupported', source: 'HTTPS_PROXY' }],
    ['http://', { problem: 'malformed', source: 'HTTPS_PROXY' }],
    ['http://user:%zz@proxy.example.net', { problem: 'malformed', source: 'HTTPS_PROXY' }],
    ['', undefined],
    [undefined, undefined],
  ])('are read: %s', (text, found) => {
    expect(proxyFromVariables({ HTTPS_PROXY: text }, url)).toEqual(found)
  })

  it.each(['http://127.0.0.1:1234/', 'http://localhost/', 'https://[::1]/'])('never apply to %s', (own) => {
    expect(proxyFromVariables({ ALL_PROXY: address, HTTP_PROXY: address }, new URL(own))).toBeUndefined()
  })

  it.each<[list: string, address: string, isExcepted: boolean]>([
    ['*', 'https://vpn.example.org', true],
    ['vpn.example.org', 'https://vpn.example.org', true],
    ['VPN.Example.org', 'https://vpn.example.org', true],
    ['example.org', 'https://vpn.example.org', true],
    ['.example.org', 'https://vpn.example.org', true],
    ['*.example.org', 'https://vpn.example.org', true],
    ['example.org.', 'https://vpn.example.org', true],
    ['other.net, example.org', 'https://vpn.example.org', true],
    ['other.net example.org', 'https://vpn.example.org', true],
    ['example.org:443', 'https://vpn.example.org', true],
    ['example.org:8443', 'https://vpn.example.org', false],
    ['example.org:8443', 'https://vpn.example.org:8443', true],
    ['ample.org', 'https://vpn.example.org', false],
    ['vpn.example.org.evil', 'https://vpn.example.org', false],
    [',', 'https://vpn.example.org', false],
    ['', 'https://vpn.example.org', false],
    ['192.0.2.7', 'https://192.0.2.7', true],
    ['192.0.2.0/24', 'https://192.0.2.7', true],
    ['192.0.2.0/24', 'https://192.0.3.7', false],
    ['192.0.2.0/99', 'https://192.0.2.7', false],
    ['192.0.2.0/24', 'https://vpn.example.org', false],
    ['2001:db8::1', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:443', 'https://[2001:db8::1]', true],
    ['2001:db8::/32', 'https://[2001:db8::1]', true],
    ['2001:db8::/32', 'https://[2001:db9::1]', false],
  ])('except with NO_PROXY=%s: %s, %s', (NO_PROXY, text, isExcepted) => {
    const found = proxyFromVariables({ HTTPS_PROXY: address, NO_PROXY }, new URL(text))
    expect(found === undefined).toBe(isExcepted)
  })
})

describe("the system's settings", () => {
  it.each([
    ['DIRECT', undefined],
    ['', undefined],
    ['PROXY proxy.example.net:3128', proxy],
    ['PROXY proxy.example.net:3128; DIRECT', proxy],
    ['DIRECT; PROXY proxy.example.net:3128', undefined],
    ['HTTPS proxy.example.net:3128;PROXY other.example.net:80', { ...proxy, protocol: 'https:' }],
    ['SOCKS5 socks.example.net:1080; PROXY proxy.example.net:3128', proxy],
    ['SOCKS socks.example.net:1080; DIRECT', undefined],
    ['SOCKS5 socks.example.net:1080', { problem: 'unsupported', source: 'SOCKS5 socks.example.net:1080' }],
    ['PROXY [2001:db8::1]:3128', { ...proxy, host: '2001:db8::1' }],
  ])('answer %j', (answer, found) => {
    expect(proxyFromSystem(answer, url)).toEqual(found)
  })

  it('never apply to this computer', () => {
    expect(proxyFromSystem('PROXY proxy.example.net:3128', new URL('http://127.0.0.1:1/'))).toBeUndefined()
  })
})

it('has a name without user and password', () => {
  const credentials = { user: 'user', password: 'secret' }
  expect(proxyName({ protocol: 'http:', host: '2001:db8::1', port: 80, credentials })).toBe(
    '[2001:db8::1]:80',
  )
})
