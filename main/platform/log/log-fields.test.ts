import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../scripts/fuzzing'
import { CausewayError } from '../../errors'
import { knownWords } from './known-words'
import { logFields } from './log-fields'

function logged(fields: object): string {
  return JSON.stringify(logFields(fields))
}

const base64url = fc.integer({ min: 0, max: 63 }).map((digit) =>
  Buffer.of(digit << 2)
    .toString('base64url')
    .slice(0, 1),
)
const randomText = (shortest: number, longest: number) =>
  fc.string({ unit: base64url, minLength: shortest, maxLength: longest })
/** Tokens, keys, and passwords that nobody finds in a dictionary. */
const secret = fc.oneof(
  randomText(43, 600),
  randomText(8, 40).filter((text) => /\d.*[A-Za-z]|[A-Za-z].*\d/.test(text)),
  fc.stringMatching(/^[0-9a-f]{32,64}$/),
  fc.stringMatching(/^[0-9]{6,12}$/),
  fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{8,20}$/),
  fc.uuid(),
  fc.ipV4().filter((address) => !address.startsWith('127.')),
  fc.emailAddress(),
)
const form = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `Authorization: Bearer ${text}`,
  (text) => `{"access_token":"${text}"}`,
  (text) => `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`,
  (text) => `https://mira:${text}@vpn.example.org/api`,
  (text) => `https://vpn.example.org/${text}/profile_list`,
  (text) => `http://127.0.0.1:8000/callback?code=${text}&state=x`,
  (text) => `PUSH: Received control message: 'PUSH_REPLY,auth-token ${text}'`,
  (text) => `before\n    at ${text} (x.js:1:1)\nafter`,
  encodeURIComponent,
  (text) => Buffer.from(text).toString('base64'),
  (text) => text.toUpperCase(),
)

const place = fc.constantFrom<(text: string) => object>(
  ...['url', 'host', 'instanceId', 'reason', 'at', 'kind', 'event', 'time', 'system', 'version'].map(
    (name) => (text: string) => ({ [name]: text }),
  ),
  (text) => ({ anything: text }),
  (text) => ({ [text]: true }),
  (text) => ({ reason: [text] }),
  (text) => ({ details: { host: text, unknown: text } }),
  (text) => ({ error: new CausewayError('http/unreachable', { details: { host: text } }) }),
  (text) => ({ error: new CausewayError('http/cancelled', { cause: new Error(text) }) }),
  (text) => ({ error: new TypeError(text) }),
  (text) => ({ error: Object.assign(new Error('x'), { code: text, name: `${text} ` }) }),
  (text) => ({ error: text }),
)

describe('the log', () => {
  it('contains no secret of any kind, in any field', () => {
    fc.assert(
      fc.property(secret, form, place, (text, write, put) => {
        const written = write(text)
        const line = logged(put(written))
        expect(line).not.toContain(text)
        // A form of its own, such as base64, is not there either.
        if (written.length > 16 && !written.includes(text)) expect(line).not.toContain(written)
      }),
      cases('secrets in a field of the log'),
    )
  })

  it('has no other words than those it knows', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), randomText(0, 99)), (text) => {
        const found = knownWords(text).match(/[\p{L}\p{M}]+/gu) ?? []
        expect(found.filter((word) => knownWords(word) !== word)).toEqual([])
      }),
      cases('words in the log'),
    )
  })

  it.each([
    ...[
      'lines-lost',
      'ended-unexpectedly',
      'run-marker-failed',
      'more-defects',
      'organization-lists',
      'not-kept',
    ],
    ...[
      'disconnect-not-sent',
      'exchange',
      'defect',
      'notice',
      'started',
      'openvpn',
      'window',
      'command',
      'error',
    ],
  ])('knows the event or part %s', (event) => {
    expect(knownWords(event)).toBe(event)
  })

  it.each([
    'kill-switch released',
    'handshake failed',
    'dns applied NRPT',
    'failed service-not-started',
    'failed not-owner',
    'failed openvpn-of-others',
    'permitted',
    'wintun.dll',
    'causeway-service.exe',
  ])('knows what the service of Windows and its files are called: %s', (text) => {
    expect(knownWords(text)).toBe(text)
  })

  it('leaves out every field that it does not know', () => {
    expect(logged({ token: 'abc', password: 1, code: 'http/unreachable', nested: {} })).toBe(
      '{"code":"http/unreachable"}',
    )
  })

  it('keeps what support needs', () => {
    const fields = {
      time: '2026-11-20T18:29:34.123Z',
      event: 'exchange',
      code: 'openvpn/unreachable',
      url: 'vpn.example.org/api/vpn/profile_config',
      host: 'vpn.example.org:8443',
      instanceId: 'http://[::1]:8000/',
      reason: 'connection-reset',
      cipher: 'TLS_AES_256_GCM_SHA384 ECDHE-ECDSA-AES256-GCM-SHA384',
      system: 'linux 6.1.0',
      status: 200,
      passing: false,
      error: {
        code: 'http/tls-failed',
        details: { reason: 'untrusted', tlsCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      },
    }
    expect(logFields(fields)).toEqual({ ...fields, instanceId: '[::1]:8000/' })
  })

  it.each([
    ['Initialization Sequence Completed', undefined],
    ['OpenVPN 2.6.14 x86_64-pc-linux-gnu [SSL (OpenSSL)] [LZO] [LZ4] [EPOLL] [AEAD] [DCO]', undefined],
    ['UDPv4 link remote: [AF_INET]192.0.2.7:1194', 'UDPv4 link remote: [AF_INET]…'],
    ['UDPv6 link remote: [AF_INET6]2001:db8::1:1194', 'UDPv6 link remote: [AF_INET6]…'],
    [
      'TLS: Initial packet from [AF_INET]192.0.2.7:1194, sid=208552fb 69e2eb0f',
      'TLS: Initial packet from [AF_INET]…, sid=… …',
    ],
    [
      'VERIFY ERROR: depth=1, error=self-signed certificate in certificate chain: CN=Acme Ltd, serial=246443349477',
      'VERIFY ERROR: depth=1, error=self-signed certificate in certificate chain: CN=… …, serial=…',
    ],
    [
      'OpenSSL: error:0A000086:SSL routines::certificate verify failed:',
      'OpenSSL: error:…:SSL routines::certificate verify failed:',
    ],
    ["Data Channel: cipher 'AES-256-GCM', peer-id: 0", undefined],
    ['TUN/TAP device tun0 opened', undefined],
    ['read UDPv4 [ECONNREFUSED]: Connection refused (fd=3,code=111)', undefined],
    [
      'Options error: Unrecognized option or missing or extra parameter(s) in stdin:9: no-such (2.6.14)',
      undefined,
    ],
    ['SIGUSR1[soft,server_poll] received, process restarting', undefined],
    [
      'Control Channel: TLSv1.3, cipher TLSv1.3 TLS_AES_256_GCM_SHA384, peer certificate: 256 bits RSA',
      undefined,
    ],
    ['Restart pause, 5 second(s)', undefined],
    [
      "PUSH: Received control message: 'PUSH_REPLY,route 10.99.0.0 255.255.0.0,ping 3,ping-restart 10,tun-mtu 1500,auth-token SESS_ID_AT_0_Xk3k'",
      "PUSH: Received control message: 'PUSH_REPLY,route … …,ping 3,ping-restart 10,tun-mtu 1500,auth-token …'",
    ],
  ])('says of OpenVPN’s line %s what its own words say', (line, shown = line) => {
    expect(knownWords(line)).toBe(shown)
  })

  it('names an unknown error by its kind and system code, not by its message', () => {
    const cause = Object.assign(new Error('connect to somewhere'), { code: 'ECONNREFUSED' })
    const line = logged({ error: new CausewayError('http/cancelled', { cause }) })
    expect(line).toContain('"code":"http/cancelled"')
    expect(line).toContain('"kind":"Error","system":"ECONNREFUSED","at":["at ')
    expect(line).toMatch(/"at (?:\S+ )?log-fields\.test\.ts:\d+:\d+"/)
    expect(line).not.toContain('somewhere')
  })

  it('accepts any value', () => {
    const circle: Record<string, unknown> = {}
    circle.error = circle
    const trap = Object.defineProperty({}, 'error', {
      enumerable: true,
      get: () => JSON.parse('{') as unknown,
    })
    expect(logged({ error: [circle, 1n, Symbol('s'), NaN, trap] })).toContain('"kind":"unreadable"')
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), (value) => {
        logged({ details: value })
      }),
      cases('values in the log'),
    )
  })
})
