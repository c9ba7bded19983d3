import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import { Redactor } from './redactor'

const person = { home: '/home/mira.jansen', userName: 'mira.jansen' }

function redacted(value: unknown, learnt: readonly string[] = []): string {
  const redactor = new Redactor(person)
  for (const secret of learnt) redactor.learn(secret)
  return JSON.stringify(redactor.value(value))
}

const base64url = fc.integer({ min: 0, max: 63 }).map((digit) =>
  Buffer.of(digit << 2)
    .toString('base64url')
    .slice(0, 1),
)
const randomText = (shortest: number, longest: number) =>
  fc.string({ unit: base64url, minLength: shortest, maxLength: longest })
/** As a server makes them: over this length, all kinds of characters are there. */
const token = randomText(43, 600).filter(
  (text) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text),
)
const byte = fc.integer({ min: 0, max: 255 })
const ipv4 = fc
  .tuple(
    byte.filter((first) => first !== 127),
    byte,
    byte,
    byte,
  )
  .map((parts) => parts.join('.'))
const group = fc.integer({ min: 1, max: 0xffff }).map((number) => number.toString(16))
const ipv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc.tuple(group, group, group).map(([first, second, last]) => `${first}:${second}::${last}`),
)
const key = fc
  .array(randomText(64, 64), { minLength: 1, maxLength: 5 })
  .map((lines) => `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`)

/** What is planted: the text, and the piece of it that must be gone. */
interface Planted {
  readonly text: string
  readonly secret: string
}
const short = randomText(8, 40).filter((text) => /^[A-Za-z0-9]/.test(text))
const bare = (texts: fc.Arbitrary<string>) => texts.map((secret) => ({ text: secret, secret }))
const planted: fc.Arbitrary<Planted> = fc.oneof(
  bare(token),
  bare(ipv4),
  bare(ipv6),
  key.map((text) => ({ text, secret: text.split('\n')[1] ?? '' })),
  short.map((secret) => ({ text: `Authorization: Bearer ${secret}`, secret })),
  short.map((secret) => ({ text: `Cookie: sid=${secret}; theme=dark`, secret })),
  short.map((secret) => ({ text: `Set-Cookie: sid=${secret}`, secret })),
  short.map((secret) => ({ text: `{"access_token":"${secret}"}`, secret })),
  short.map((secret) => ({ text: `refresh_token=${secret}&x=1`, secret })),
  short.map((secret) => ({ text: `password: ${secret}`, secret })),
  short.map((secret) => ({ text: `GET http://127.0.0.1:8000/callback?code=${secret}&state=x`, secret })),
  short.map((secret) => ({ text: `https://store.example.org/f?X-Amz-Signature=${secret}`, secret })),
  short.map((secret) => ({ text: `https://mira:${secret}@vpn.example.org/`, secret })),
  short.map((name) => ({ text: `${name}@example.org`, secret: name })),
  fc.constant({ text: '/home/mira.jansen/.config', secret: 'jansen' }),
  fc.constant({ text: 'user mira.jansen logged in', secret: 'jansen' }),
)

/** Where it is planted: in a text, a field, a list, a name of a field, the details and causes of an error. */
const places: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => `before ${text}`,
  (text) => `[${text}]`,
  (text) => `="${text}"`,
  (text) => ({ anything: text }),
  (text) => ({ [text]: true }),
  (text) => ({ deep: [{ list: [text] }] }),
  (text) => new CausewayError('http/unreachable', text),
  (text) => ({ error: new CausewayError('http/unreachable', 'Text.', { details: { host: text } }) }),
  (text) => ({ error: new CausewayError('http/unreachable', 'Text.', { cause: new Error(text) }) }),
  (text) => ({ error: new TypeError(text) }),
  (text) => `${'x '.repeat(4000)}${text}`,
]

describe('what is written to the log', () => {
  it('holds no secret of any kind, wherever it was', () => {
    fc.assert(
      fc.property(planted, fc.constantFrom(...places), ({ text, secret }, place) => {
        // A secret that is a piece of what stands around it proves nothing.
        fc.pre(secret.length >= 3 && !JSON.stringify(place('')).includes(secret))
        expect(redacted(place(text))).not.toContain(secret)
      }),
      { numRuns: 4000, seed: 1 },
    )
  })

  it.each([
    'token',
    'accessToken',
    'refresh_token',
    'clientSecret',
    'password',
    'Authorization',
    'set-cookie',
    'code',
    'codeVerifier',
    'privateKey',
  ])('holds nothing of a field named %s, however short', (name) => {
    expect(redacted({ [name]: 'ab1' })).toBe(JSON.stringify({ [name]: '[secret]' }))
  })

  it('holds nothing of what the key store held, whatever it looks like', () => {
    const stored = JSON.stringify({ accessToken: 'plain words', deep: { refreshToken: 'seven7' } })
    expect(redacted(['Got plain words.', { x: 'seven7' }, stored], [stored])).not.toMatch(/plain|seven7/)
  })

  it('still says what support needs', () => {
    const fields = {
      time: '2026-11-20T18:29:34.123Z',
      at: '18:29:34',
      code: 'openvpn/unreachable',
      url: 'vpn.example.org/api/vpn/profile_config',
      cipher: 'TLS_AES_256_GCM_SHA384 ECDHE-ECDSA-AES256-GCM-SHA384',
      loopback: ['127.0.0.1:1194', '::1', 'http://[::1]:8000/callback'],
      version: 'OpenVPN 2.6.14 x86_64-pc-linux-gnu',
      exit: 'exit code: 1',
      status: 200,
      fresh: false,
    }
    expect(redacted(fields)).toBe(JSON.stringify(fields))
  })

  it('names an error that is not ours by its kind and the code of the system, not by its text', () => {
    const cause = Object.assign(new Error('connect to somewhere'), { code: 'ECONNREFUSED' })
    const line = redacted({ error: new CausewayError('http/unreachable', 'It is not there.', { cause }) })
    expect(line).toContain('"code":"http/unreachable"')
    expect(line).toContain('"kind":"Error","system":"ECONNREFUSED"')
    expect(line).not.toContain('somewhere')
  })

  it('is made of anything at all without failing', () => {
    const circle: Record<string, unknown> = {}
    circle.itself = circle
    const trap = Object.defineProperty({}, 'name', {
      enumerable: true,
      get: () => JSON.parse('{') as unknown,
    })
    expect(redacted([circle, trap, 1n, Symbol('s'), new Date(NaN), NaN])).toContain('[unreadable]')
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), (value) => {
        redacted({ value })
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  it.each(['anne-marie', 'CORP\\\\jan', 'jan$', 'a+b', '[x]', 'it|all', 'user/name', '{2}', '^'])(
    'leaves out a user called %s',
    (userName) => {
      const redactor = new Redactor({ home: `/home/${userName}`, userName })
      const line = redactor.text(`as ${userName} in /home/${userName}/notes`)
      expect(line).toContain('in ~/notes')
      expect(line).not.toContain(userName.length > 1 ? `as ${userName}` : '/home')
    },
  )

  it('takes hostile lengths in its stride', () => {
    const began = performance.now()
    for (const piece of ['a', ':', '.', '@', 'token=', '?', '-----BEGIN A-----', '\\', 'a:', '1.', 'http://'])
      redacted(piece.repeat(200_000))
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
