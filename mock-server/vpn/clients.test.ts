import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { goodRequest, TestClient } from '../test-client'
import { parseClient } from './clients'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Returns the address that an authorization request is redirected to, or the status of its refusal. */
async function redirect(
  options: MockServerOptions,
  client_id: string,
  redirect_uri: string,
): Promise<string> {
  server ??= await createMockServer({ autoApprove: true, ...options })
  const response = await new TestClient(server).authorize({ ...goodRequest().query, client_id, redirect_uri })
  const location = response.headers.get('location')
  return location === null
    ? String(response.status)
    : location.replace(/code=.*?(&|$)/, '').replace(/state=.*/, '')
}

const loopback = 'http://127.0.0.1:40000/callback'

describe('a portal of version 2', () => {
  it.each([
    ['org.eduvpn.app.linux', loopback],
    ['org.eduvpn.app.windows', 'http://[::1]:1024/callback'],
    ['org.letsconnect-vpn.app.macos', 'org.letsconnect-vpn.app:/api/callback'],
    ['org.eduvpn.app.android', 'org.eduvpn.app:/api/callback'],
    ['org.eduvpn.app.android', 'https://android.app.eduvpn.org/api/callback'],
    ['org.eduvpn.app.ios', 'org.eduvpn.app.ios:/api/callback'],
    ['org.causeway.app.linux', loopback],
  ])('knows %s with %s', async (id, uri) => {
    expect(await redirect({}, id, uri)).toBe(`${uri}?`)
  })

  it.each([
    ['org.eduvpn.app.linux', 'org.eduvpn.app:/api/callback'],
    ['org.eduvpn.app.android', loopback],
    ['org.eduvpn.app.android', 'org.eduvpn.app.android:/api/callback'],
    ['org.eduvpn.app.ios', 'org.eduvpn.app.ios:/other'],
    ['org.causeway.app.macos', 'org.causeway.app:/api/callback'],
    ['org.causeway.app.android', 'org.causeway.app:/api/callback'],
    ['com.other.app', loopback],
  ])('refuses %s with %s', async (id, uri) => {
    expect(await redirect({}, id, uri)).toBe('401')
  })
})

describe('an added client', () => {
  const clients = [
    parseClient('com.example.app=com.example.app:/callback?from=vpn'),
    parseClient('com.example.desktop=http://127.0.0.1:{PORT}/done'),
  ]

  it('gets its answers at its redirect URI, after the parameters of the URI', async () => {
    const uri = 'com.example.app:/callback?from=vpn'
    expect(await redirect({ clients }, 'com.example.app', uri)).toBe(`${uri}&`)
    expect(await redirect({ clients }, 'com.example.app', 'com.example.app:/callback')).toBe('401')
    expect(await redirect({ clients }, 'com.example.desktop', 'http://127.0.0.1:50000/done')).toMatch(
      /done\?$/,
    )
    expect(await redirect({ clients }, 'com.example.desktop', 'http://127.0.0.1:80/done')).toBe('401')
    expect(await redirect({ clients }, 'com.example.desktop', uri)).toBe('401')
  })

  it('works in both versions, beside those of the portal', async () => {
    expect(
      await redirect({ clients, api: '3' }, 'com.example.desktop', 'http://127.0.0.1:1024/done'),
    ).toMatch(/\?$/)
    expect(await redirect({ clients, api: '3' }, 'org.eduvpn.app.linux', loopback)).toMatch(/\?$/)
  })

  it.each([
    'id',
    '=com.example:/a',
    'a b=com.example:/a',
    'id=',
    'id=/relative',
    'id=javascript:alert(1)',
    'id=http://a/#b',
  ])('is refused if it is %s', (text) => {
    expect(() => parseClient(text)).toThrow(/^(It must be|The redirect URI must be)/)
  })
})

describe('any client', () => {
  it('is accepted with every redirect URI that is safe to open', async () => {
    const options = { anyClient: true }
    expect(await redirect(options, 'whoever', 'https://app.example/back')).toBe('https://app.example/back?')
    expect(await redirect(options, 'whoever', 'javascript:alert(1)')).toBe('401')
    expect(await redirect(options, 'whoever', 'https://app.example/#x')).toBe('401')
  })
})
