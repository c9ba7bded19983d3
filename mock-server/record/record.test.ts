import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createMockServer, setUp, setupOf } from '../server'
import { TestClient } from '../test-client'
import { newWireguardKeys } from '../vpn/wireguard/wireguard.testing'
import { startRecorder } from './recorder'
import { Recording } from './recording'

const openvpn = 'application/x-openvpn-profile'
const wireguard = 'application/x-wireguard-profile'

interface Traffic {
  info: unknown
  profiles: unknown[]
  messages: unknown[]
  config: string
  openvpn: string
  wireguard: string
  daysLeft: number
}

/** What a client does with a portal: signs in, refreshes, lists and connects, over both versions of the API. */
async function use(client: TestClient, now: number): Promise<{ traffic: Traffic; secrets: string[] }> {
  const first = await client.logIn()
  const refreshed = (await (await client.refresh(first.refreshToken)).json()) as Record<string, string>
  const token = refreshed.access_token ?? ''
  const info = await (await client.call3(token, '/info')).json()
  const profiles = await client.data(token, 'profile_list')
  const messages = await client.data(token, 'system_messages')
  const user = (await (await client.call(token, '/user_info')).json()) as {
    user_info: { data: { user_id: string } }
  }
  const keyPair = await client.createKeyPair(token)
  expect(await client.check(token, keyPair)).toEqual({ is_valid: true })
  const config = await client.profileConfig(token, 'profile_id=internet')
  const keys = newWireguardKeys()
  const form = { profile_id: 'everywhere', public_key: keys.publicKey }
  const overOpenvpn = await client.connect(token, { profile_id: 'internet' }, openvpn)
  expect(overOpenvpn.headers.get('content-type')).toBe(openvpn)
  const overWireguard = await client.connect(token, form, wireguard)
  expect(overWireguard.headers.get('content-type')).toBe(wireguard)
  const expires = Date.parse(overWireguard.headers.get('expires') ?? '')
  const text = await overOpenvpn.text()
  expect((await client.call3(token, '/disconnect', { method: 'POST' })).status).toBe(204)
  const privateParts =
    text.match(/-----BEGIN (?:PRIVATE KEY|OpenVPN Static key V1)-----([^]*?)-----END/g) ?? []
  expect(privateParts).toHaveLength(2)
  const cert = /<cert>([^]*?)<\/cert>/.exec(text)?.[1] ?? ''
  const lines = [
    ...privateParts,
    cert,
    keyPair.private_key,
    /<tls-crypt>([^]*?)<\/tls-crypt>/.exec(config)?.[1] ?? '',
  ]
    .join('\n')
    .split('\n')
    .filter((line) => line.length > 30 && !line.includes('-----'))
  return {
    traffic: {
      info,
      profiles,
      messages,
      config,
      openvpn: text,
      wireguard: await overWireguard.text(),
      daysLeft: Math.round((expires - now) / 86_400_000),
    },
    secrets: [
      ...lines.map((line) => line.trim()),
      ...[first.accessToken, first.refreshToken, token, refreshed.refresh_token ?? ''],
      user.user_info.data.user_id,
      keys.publicKey,
    ],
  }
}

/** Without what is another one for each client. */
const plain = (text: string) =>
  text
    .replaceAll(/<(cert|key|tls-crypt)>[^]*?<\/\1>/g, '<$1/>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\S+/g, 'TIME')
    .replaceAll(/http:\/\/[\w.:]+(?:\/_world\/portal)?/g, 'ORIGIN')

it('records a portal without its secrets, and plays it for a client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-mock-record-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'recording.json')
  // Its interfaces have another address than those of a mock, as those of real portals.
  const host = await createMockServer({ autoApprove: true, api: '2,3', seed: 7 })
  onTestFinished(() => host.close())
  const portal = await host.world('portal')
  await portal.call('PUT /user', { body: { user: 'jane.roe@university.example' } })
  await portal.call('PUT /system-messages', {
    body: [{ type: 'notification', message: 'Only this portal says so', date_time: '2026-11-01T08:00:00Z' }],
  })
  const recorder = await startRecorder({
    portal: new URL(`${portal.origin}/`),
    host: '127.0.0.1',
    port: 0,
    file,
  })
  onTestFinished(() => recorder.close())

  const discovery = `${recorder.instance}info.json`
  const documents = JSON.stringify(await (await fetch(discovery)).json())
  expect(documents).not.toContain(host.origin)
  const there = new TestClient({ origin: recorder.instance.replace(/\/$/, '') })
  const { traffic, secrets } = await use(there, Date.now())
  expect(traffic.openvpn).not.toContain(host.origin)
  const text = readFileSync(file, 'utf8')

  const journal = await portal.requests()
  const inJournal = journal.flatMap(({ query, headers, body, answer }) => [
    query.code_challenge,
    query.state,
    String(headers.authorization ?? '').split(' ')[1],
    ...new URLSearchParams(body ?? '').values(),
    ...new URLSearchParams(new URL(String(answer?.headers.location ?? 'x:'), 'http://x').search).values(),
  ])
  // Names of grants, clients and profiles are no secrets, and stand in every document.
  const known = /^(?:authorization_code|refresh_token|org\.causeway.*|internet|everywhere|http:.*|config|)$/
  const all = [...secrets, ...inJournal.filter((one) => one !== undefined && !known.test(String(one)))]
  expect(all.length).toBeGreaterThan(30)
  for (const secret of all) expect(text.includes(String(secret)), String(secret)).toBe(false)
  expect(text).not.toMatch(/jane|roe@|set-cookie|[Bb]earer|\/_world/)

  const replayed = await createMockServer({
    autoApprove: true,
    api: '2,3',
    clock: { now: () => new Date(nextYear) },
  })
  onTestFinished(() => replayed.close())
  await setUp(replayed, [setupOf(file)])
  const again = (await use(new TestClient(replayed), nextYear)).traffic
  expect(again.info).toEqual(traffic.info)
  expect(again.profiles).toEqual(traffic.profiles)
  expect(again.messages).toMatchObject([{ message: 'Only this portal says so' }])
  for (const name of ['config', 'openvpn', 'wireguard'] as const)
    expect(plain(again[name])).toBe(plain(traffic[name]))
  expect([traffic.daysLeft, again.daysLeft]).toEqual([90, 90])
})

it.each([
  ['WireGuard', '[Interface]\nPrivateKey = SECRET\n\n[Peer]\nPublicKey = known\n  presharedkey=SECRET\n'],
  [
    'OpenVPN',
    '<tls-crypt-v2>\n-----BEGIN OpenVPN tls-crypt-v2 client key-----\nSECRET\n-----END OpenVPN tls-crypt-v2 client key-----\n</tls-crypt-v2>\n',
  ],
  ['OpenVPN with a password', '<auth-user-pass>\njane\nSECRET\n</auth-user-pass>\n'],
])('keeps no secret of a configuration of %s', (_what, text) => {
  const origin = 'https://vpn.example.org'
  const exchange = (method: string, path: string, body: string) => ({
    method,
    url: new URL(path, origin),
    requestHeaders: {},
    requestBody: '',
    status: 200,
    headers: new Headers(),
    body,
  })
  const recording = new Recording(origin, 0)
  const api = { 'http://eduvpn.org/api#3': { api_endpoint: `${origin}/v3` } }
  recording.add(exchange('GET', '/info.json', JSON.stringify({ api })))
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I='
  recording.add(exchange('POST', '/v3/connect', text.replaceAll('SECRET', secret)))
  expect(recording.text).toContain('/api/v3/connect')
  expect(recording.text).not.toContain(secret)
})

const nextYear = Date.UTC(2027, 6, 1)

it('passes on what old clients send: two slashes, and the wish to be told to go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-mock-record-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const host = await createMockServer()
  onTestFinished(() => host.close())
  const file = join(folder, 'recording.json')
  const recorder = await startRecorder({ portal: new URL(host.origin), host: '127.0.0.1', port: 0, file })
  onTestFinished(() => recorder.close())
  const ask = async (method: string, path: string, body = '') => {
    const { hostname, port } = new URL(recorder.origin)
    const headers = { expect: '100-continue', 'content-length': body.length }
    const sent = request({ hostname, port, method, path, headers })
    if (body !== '') await once(sent, 'continue')
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, body: await text(answer) }
  }
  for (const path of ['//info.json', 'http://other.example/info.json'])
    expect(await ask('GET', path), path).toEqual({
      status: 200,
      body: expect.stringContaining(`${recorder.origin}/api/vpn`) as string,
    })
  const refused = await ask('POST', '/oauth/token', 'grant_type=password')
  expect(refused).toEqual({ status: 400, body: expect.stringContaining('grant_type') as string })
})

it('says that a portal is out of reach', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-mock-record-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const gone = await createMockServer()
  await gone.close()
  const file = join(folder, 'recording.json')
  const recorder = await startRecorder({ portal: new URL(gone.origin), host: '127.0.0.1', port: 0, file })
  onTestFinished(() => recorder.close())
  const answer = await fetch(`${recorder.instance}info.json`)
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("can't be reached")])
})
