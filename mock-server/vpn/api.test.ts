import { createPrivateKey, X509Certificate } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'

const now = new Date('2026-11-20T12:00:00Z')
let accessToken: string
const { client } = await serveMock({ autoApprove: true, clock: { now: () => now } })
beforeEach(async () => {
  await client.control('POST', '/reset')
  accessToken = (await client.logIn()).accessToken
})

const keyPair = () => client.createKeyPair(accessToken)
const config = (query: string) => client.profileConfig(accessToken, query)

function commonNameOf(certificate: string): string {
  return new X509Certificate(certificate).subject.replace('CN=', '')
}

function remotes(configuration: string): string[] {
  return configuration.split('\r\n').filter((line) => line.startsWith('remote '))
}

describe('profile_list', () => {
  it('lists the seeded profiles, one with a localized and one with a plain name', async () => {
    const response = await client.call(accessToken, '/profile_list')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      profile_list: {
        ok: true,
        data: [
          {
            profile_id: 'internet',
            display_name: { en: 'Internet Access', nl: 'Internettoegang', de: 'Internetzugang' },
            two_factor: false,
            default_gateway: true,
          },
          {
            profile_id: 'office',
            display_name: 'Office Network',
            two_factor: false,
            default_gateway: false,
          },
        ],
      },
    })
  })

  it('omits hidden profiles, and default_gateway where a profile has none', async () => {
    await client.control('PUT', '/profiles', [
      { profile_id: 'old', display_name: 'Old' },
      { profile_id: 'secret', display_name: 'Secret', hidden: true },
    ])
    expect(await (await client.call(accessToken, '/profile_list')).json()).toEqual({
      profile_list: { ok: true, data: [{ profile_id: 'old', display_name: 'Old', two_factor: false }] },
    })
    expect(await (await client.call(accessToken, '/profile_config?profile_id=secret')).json()).toEqual({
      profile_config: { ok: false, error: 'profile not available or no permission' },
    })
  })
})

describe('create_keypair', () => {
  it('issues a client certificate of its authority that matches the private key', async () => {
    const { certificate, private_key } = await keyPair()
    const read = new X509Certificate(certificate)
    const ca = /<ca>\r\n([^]+?)\r\n<\/ca>/.exec(await config('profile_id=internet'))?.[1] ?? ''
    const authority = new X509Certificate(ca)
    expect(read.checkIssued(authority)).toBe(true)
    expect(read.verify(authority.publicKey)).toBe(true)
    expect(read.checkPrivateKey(createPrivateKey(private_key))).toBe(true)
    expect(read.subject).toMatch(/^CN=[0-9a-f]{32}$/)
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(read.ca).toBe(false)
    expect(new Date(read.validFrom)).toEqual(new Date('2026-11-20T11:55:00Z'))
    expect(new Date(read.validTo)).toEqual(new Date('2027-02-18T12:00:00Z'))
  })

  it('returns PEM with LF, PKCS#8, and no final newline', async () => {
    const { certificate, private_key } = await keyPair()
    expect(certificate).toMatch(/^-----BEGIN CERTIFICATE-----\n[^\r]+\n-----END CERTIFICATE-----$/)
    expect(private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^\r]+\n-----END PRIVATE KEY-----$/)
  })

  it('accepts a display_name, unknown fields and bodies of other types', async () => {
    for (const body of [new URLSearchParams({ display_name: 'Laptop', extra: '1' }), '{"not": "a form"']) {
      const response = await client.call(accessToken, '/create_keypair', { method: 'POST', body })
      expect(response.status).toBe(200)
    }
  })
})

describe('profile_config', () => {
  it('returns an OpenVPN file with CRLF, without final line end, certificate and key, in the order of portals', async () => {
    const response = await client.call(accessToken, '/profile_config?profile_id=internet&remote_strategy=0')
    expect(response.headers.get('content-type')).toBe('application/x-openvpn-profile')
    const text = await response.text()
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(text).not.toMatch(/\n$/)
    expect(text).not.toMatch(/<cert>|<key>|PRIVATE/)
    const outline = text
      .replace(/<(ca|tls-crypt)>[^]+?<\/\1>/g, '<$1>')
      .split('\r\n')
      .map((line) => line.split(' ')[0])
    expect(outline).toEqual([
      '#',
      'dev',
      'client',
      'nobind',
      'remote-cert-tls',
      'verb',
      'server-poll-timeout',
      'ncp-ciphers',
      'cipher',
      'reneg-sec',
      '<ca>',
      'tls-version-min',
      'tls-cipher',
      '<tls-crypt>',
      'remote',
      'remote',
      'remote',
      'remote',
    ])
  })

  it('selects remotes by strategy: 0 and unknown values the first, 2 all, 1 or none one of each class', async () => {
    const first = [
      'remote 127.0.0.1 1194 udp',
      'remote 127.0.0.1 1194 tcp',
      'remote 127.0.0.1 53 udp',
      'remote 127.0.0.1 443 tcp',
    ]
    expect(remotes(await config('profile_id=office&remote_strategy=0'))).toEqual(first)
    expect(remotes(await config('profile_id=office&remote_strategy=seven'))).toEqual(first)
    expect(remotes(await config('profile_id=office&remote_strategy=2'))).toEqual([
      'remote 127.0.0.1 1194 udp',
      'remote 127.0.0.1 1195 udp',
      'remote 127.0.0.1 53 udp',
      'remote 127.0.0.1 1194 tcp',
      'remote 127.0.0.1 1195 tcp',
      'remote 127.0.0.1 443 tcp',
    ])
    for (const query of ['profile_id=office', 'profile_id=office&remote_strategy=1']) {
      const chosen = remotes(await config(query)).join('\n')
      expect(chosen).toMatch(
        /^remote \S+ 119[45] udp\nremote \S+ 119[45] tcp\nremote \S+ 53 udp\nremote \S+ 443 tcp$/,
      )
    }
  })

  it('answers ok: false with status 200 to an unknown or malformed profile, and 400 without one', async () => {
    const answers = await Promise.all(
      ['?profile_id=nowhere', '?profile_id=..%2Fetc', '?profile_id=a&profile_id=b', '?profile_id=', ''].map(
        async (query) => {
          const response = await client.call(accessToken, `/profile_config${query}`)
          return [response.status, await response.json()]
        },
      ),
    )
    const invalid = { profile_config: { ok: false, error: 'invalid "profile_id"' } }
    expect(answers).toEqual([
      [200, { profile_config: { ok: false, error: 'profile not available or no permission' } }],
      [200, invalid],
      [200, invalid],
      [200, invalid],
      [400, { error: 'missing "profile_id" parameter' }],
    ])
  })
})

describe('check_certificate', () => {
  async function check(commonName: string): Promise<unknown> {
    const response = await client.call(accessToken, `/check_certificate?common_name=${commonName}`)
    const answer = (await response.json()) as { check_certificate: { ok: boolean; data: unknown } }
    return answer.check_certificate.data
  }

  it('follows the mock clock: not yet valid, valid, expired', async () => {
    const commonName = commonNameOf((await keyPair()).certificate)
    expect(await check(commonName)).toEqual({ is_valid: true })
    await client.control('POST', '/clock', { advanceSeconds: -600 })
    expect(await check(commonName)).toEqual({ is_valid: false, reason: 'certificate_not_yet_valid' })
    await client.control('POST', '/clock', { now: '2027-03-01T00:00:00Z' })
    accessToken = (await client.logIn()).accessToken
    expect(await check(commonName)).toEqual({ is_valid: false, reason: 'certificate_expired' })
  })

  it('does not know a revoked name, or the same name in capitals', async () => {
    const commonName = commonNameOf((await keyPair()).certificate)
    const missing = { is_valid: false, reason: 'certificate_missing' }
    expect(await check('ABCDEF0123456789ABCDEF0123456789')).toEqual(missing)
    await client.control('POST', '/certificates/revoke', { commonName })
    expect(await check(commonName)).toEqual(missing)
  })

  it.each(['', '?common_name=short', '?common_name=', `?common_name=${'a'.repeat(33)}`])(
    'refuses %o with 400',
    async (query) => {
      const response = await client.call(accessToken, `/check_certificate${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: expect.stringContaining('"common_name"') as string })
    },
  )
})

describe('system_messages', () => {
  it('returns a plain, a localized and a marked-up text, newest first', async () => {
    const response = await client.call(accessToken, '/system_messages')
    const { system_messages } = (await response.json()) as {
      system_messages: { ok: boolean; data: { type: string; date_time: string; message: unknown }[] }
    }
    expect(system_messages.ok).toBe(true)
    expect(system_messages.data.map(({ type, date_time }) => [type, date_time])).toEqual([
      ['notification', '2026-11-20T10:00:00Z'],
      ['notification', '2026-11-19T10:00:00Z'],
      ['notification', '2026-11-17T11:00:00Z'],
    ])
    expect(system_messages.data.map(({ message }) => typeof message)).toEqual(['string', 'object', 'string'])
    expect(system_messages.data[2]?.message).toContain('<b>')
  })
})

describe('plain errors', () => {
  it('are 404 for unknown paths and trailing slashes, 405 with Allow for other methods', async () => {
    const status = async (path: string, method: string) => {
      const response = await client.call(accessToken, path, { method })
      return [response.status, response.headers.get('allow')]
    }
    expect(await status('/nope', 'GET')).toEqual([404, null])
    expect(await status('/profile_list/', 'GET')).toEqual([404, null])
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      expect(await status('/profile_list', method)).toEqual([405, 'GET'])
    }
    expect(await status('/create_keypair', 'GET')).toEqual([405, 'POST'])
  })

  it('are JSON, and text for a client that accepts HTML', async () => {
    const json = await client.call(accessToken, '/nope', { headers: { accept: 'application/json' } })
    expect(json.headers.get('content-type')).toBe('application/json')
    const text = await client.call(accessToken, '/nope', { headers: { accept: 'text/html,*/*' } })
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain', 'Not Found'])
  })

  it('still answer the calls of old clients', async () => {
    expect(await (await client.call(accessToken, '/user_info')).json()).toMatchObject({
      user_info: { ok: true, data: { user_id: 'tester', is_disabled: false } },
    })
    expect(await (await client.call(accessToken, '/user_messages')).json()).toEqual({
      user_messages: { ok: true, data: [] },
    })
  })
})
