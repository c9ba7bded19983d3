import { describe, expect, it } from 'vitest'
import type { ConnectionState } from './connection'
import { type ConnectionFacts, describeConnection } from './describe-connection'
import type { Lanes } from './lanes'
import { englishTexts } from './locales/texts'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
const dns = { servers: ['10.0.0.53'], domains: [], applied: true }
const connected = { state: 'connected', target, addresses: {}, remote, dns, since: 0 } as const
const lost = { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' } as const
const failed = (
  code: Extract<ConnectionState, { state: 'failed' }>['error']['code'],
  details?: Readonly<Record<string, unknown>>,
): ConnectionState => ({
  state: 'failed',
  target,
  error: { code, message: '', details },
})
const describeIt = (connection: ConnectionState, facts: Partial<ConnectionFacts> = {}) =>
  describeConnection(connection, { locale: 'en', ...facts })
const blocks = { blocks: true }

const states: readonly ConnectionState[] = [
  { state: 'idle' },
  ...(['discovering', 'authorizing', 'preparing'] as const).map((state) => ({ state, target })),
  ...(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring'] as const).map(
    (phase) => ({ state: 'connecting', target, phase }) as const,
  ),
  { ...connected, allTraffic: true },
  lost,
  { state: 'disconnecting', target },
  { state: 'disconnecting', target, switching: true },
  { state: 'disconnected', target },
  failed('openvpn/unreachable'),
]

it.each(states)('has a text for each sentence of %j', (state) => {
  for (const facts of [{}, blocks]) {
    const { sentences, word } = describeIt(state, facts)
    expect(englishTexts.connection.word[word]).toBeTruthy()
    for (const key of sentences) {
      const found = key
        .split('.')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], englishTexts)
      expect(found, key).toEqual(expect.any(String))
    }
  }
})

describe('a sign-in that waits for the browser', () => {
  const signIn = { instanceId: target.instanceId, until: 1 }
  const onIts = ['cancelSignIn', 'openBrowser', 'copyLink'] as const
  const your = { organization: 'yourTurn', rest: 'direct' }

  it.each<[string, ConnectionState, Partial<ConnectionFacts>, object]>([
    ['the first one', { state: 'idle' }, {}, { tone: 'working', lanes: your, verbs: onIts }],
    [
      'one before the browser is opened',
      { state: 'idle' },
      { signIn: { ...signIn, until: undefined } },
      { sentences: ['connection.sentence.openingBrowser'], verbs: ['cancelSignIn'] },
    ],
    [
      'one on the way to a connection',
      { state: 'authorizing', target },
      {},
      { tone: 'working', lanes: your, verbs: onIts },
    ],
    ['one after a failure', failed('openvpn/unreachable'), {}, { tone: 'working', lanes: your }],
    [
      'one beside a connection, which stays',
      { ...connected, allTraffic: false },
      {},
      {
        tone: 'on',
        lanes: { organization: 'through', rest: 'direct' },
        sentences: ['connection.sentence.authorizing', 'connection.sentence.staysConnected'],
        verbs: [...onIts, 'disconnect'],
      },
    ],
    [
      'one beside a connection that is not as promised',
      { ...connected, allTraffic: true, passing: false },
      {},
      {
        tone: 'limited',
        lanes: { organization: 'stuck', rest: 'stuck' },
        sentences: ['connection.sentence.authorizing', 'connection.sentence.staysAsItIs'],
      },
    ],
    [
      'one that the kill switch blocks',
      { state: 'idle' },
      blocks,
      {
        tone: 'blocked',
        lanes: { organization: 'blocked', rest: 'blocked' },
        sentences: ['connection.sentence.blocked'],
        verbs: ['cancelSignIn', 'allowTraffic', 'openBrowser', 'copyLink'],
      },
    ],
  ])('says so of %s', (_what, connection, facts, expected) => {
    const described = describeIt(connection, { signIn, ...facts })
    expect(described).toMatchObject({ word: 'browser', glance: 'connection.word.browser', ...expected })
  })

  it('in another process is only cancelled here', () => {
    expect(describeIt({ state: 'authorizing', target })).toMatchObject({
      word: 'browser',
      sentences: ['connection.sentence.authorizing'],
      verbs: ['cancel'],
    })
  })
})

describe('the lanes', () => {
  it.each<[string, ConnectionState, Partial<ConnectionFacts>, Lanes]>([
    ['no tunnel', { state: 'idle' }, {}, { organization: 'direct', rest: 'direct' }],
    ['a failure', failed('openvpn/unreachable'), {}, { organization: 'direct', rest: 'direct' }],
    ['the kill switch', { state: 'idle' }, blocks, { organization: 'blocked', rest: 'blocked' }],
    ['connecting', { state: 'preparing', target }, {}, { organization: 'waiting', rest: 'direct' }],
    [
      'connecting, blocked',
      { state: 'preparing', target },
      blocks,
      { organization: 'waiting', rest: 'waiting' },
    ],
    ['all traffic', { ...connected, allTraffic: true }, {}, { organization: 'through', rest: 'through' }],
    ['a split tunnel', { ...connected, allTraffic: false }, {}, { organization: 'through', rest: 'direct' }],
    [
      'less than promised',
      { ...connected, allTraffic: false },
      { promisesAll: true },
      { organization: 'through', rest: 'less' },
    ],
    [
      'IPv6 outside',
      { ...connected, allTraffic: false, allIpv4: true },
      {},
      { organization: 'through', rest: 'less' },
    ],
    ['routes not read', connected, {}, { organization: 'unknown', rest: 'unknown' }],
    [
      'nothing comes back',
      { ...connected, allTraffic: true, passing: false },
      {},
      { organization: 'stuck', rest: 'stuck' },
    ],
    [
      'nothing comes back through a split tunnel',
      { ...connected, allTraffic: false, passing: false },
      {},
      { organization: 'stuck', rest: 'direct' },
    ],
    [
      'lost, all routes kept',
      { ...lost, allTraffic: true },
      {},
      { organization: 'waiting', rest: 'waiting' },
    ],
    [
      'lost, split routes kept',
      { ...lost, allTraffic: false },
      {},
      { organization: 'waiting', rest: 'direct' },
    ],
    ['lost, routes kept but not read', lost, {}, { organization: 'waiting', rest: 'unknown' }],
    ['lost, routes gone', { ...lost, routes: 'gone' }, {}, { organization: 'direct', rest: 'direct' }],
    ['lost, blocked', { ...lost, routes: 'gone' }, blocks, { organization: 'waiting', rest: 'waiting' }],
  ])('say what becomes of traffic with %s', (_what, state, facts, lanes) => {
    expect(describeIt(state, facts).lanes).toEqual(lanes)
  })
})

it.each([{}, { nextAttemptAt: 1 }])('says first that the network wants a sign-in (%j)', (state) => {
  const { sentences } = describeConnection(
    { ...lost, ...state, reason: 'captive-portal', routes: 'gone' },
    { locale: 'en' },
  )
  expect(sentences).toEqual([
    'connection.sentence.networkWantsSignIn',
    'connection.reason.captive-portal',
    'connection.sentence.onceSignedIn',
    'connection.meanwhile.gone',
  ])
})

it('never gives a failure and the kill switch the same tone or word', () => {
  const [open, closed] = [
    describeIt(failed('http/unreachable')),
    describeIt(failed('http/unreachable'), blocks),
  ]
  expect([open.tone, closed.tone]).toEqual(['failed', 'blocked'])
  expect([open.word, closed.word]).toEqual(['failed', 'blocked'])
})

it.each([
  [failed('openvpn/unreachable'), {}, ['tryTcp', 'tryAgain', 'checkComputer', 'copyForHelpDesk']],
  [failed('openvpn/unreachable'), { preferTcp: true }, ['tryAgain', 'checkComputer', 'copyForHelpDesk']],
  [failed('openvpn/not-found'), {}, ['chooseOpenVpn', 'tryAgain', 'checkComputer']],
  [failed('helper/not-installed'), {}, ['checkComputer', 'tryAgain']],
  [failed('helper/not-installed'), { helper: 'missing' }, ['checkComputer', 'tryAgain']],
  [failed('helper/not-installed'), { helper: 'usable' }, ['tryAgain', 'checkComputer']],
  ...(['helper/not-installed', 'helper/needed-for-kill-switch', 'openvpn/not-permitted'] as const).map(
    (code) =>
      [failed(code), { helper: 'installable' }, ['installHelper', 'tryAgain', 'checkComputer']] as const,
  ),
  [
    failed('helper/needed-for-kill-switch'),
    { helper: 'installable', ...blocks },
    ['installHelper', 'allowTraffic', 'reconnect', 'checkComputer'],
  ],
  [failed('session/over'), {}, ['renew']],
  [failed('session/over', { reason: 'revoked' }), {}, ['signInAgain', 'copyForHelpDesk']],
  [failed('oauth/access-denied'), {}, ['signInAgain', 'copyForHelpDesk']],
  [failed('network/captive-portal'), {}, ['openPage', 'tryAgain']],
  [failed('network/captive-portal'), blocks, ['allowTraffic', 'openPage', 'reconnect']],
  [{ ...lost, reason: 'captive-portal' }, {}, ['openPage', 'disconnect', 'retryNow']],
  [{ ...lost, reason: 'captive-portal', notYetConnected: true }, {}, ['openPage', 'cancel', 'retryNow']],
  [{ ...lost, reason: 'captive-portal', waitingForNetwork: true }, {}, ['disconnect', 'retryNow']],
  [{ ...lost, reason: 'captive-portal' }, blocks, ['disconnect']],
  [failed('vpn-api/profile-unavailable'), {}, ['chooseProfile', 'tryAgain', 'copyForHelpDesk']],
  [failed('clock/wrong'), {}, ['tryAgain', 'checkComputer', 'copyForHelpDesk']],
  [failed('clock/wrong'), { hasClockSettings: true }, ['openClockSettings', 'tryAgain', 'checkComputer']],
  [failed('vpn-api/invalid-response'), {}, ['copyForHelpDesk', 'tryAgain']],
  [failed('openvpn/weak-certificate'), {}, ['copyForHelpDesk', 'tryAgain', 'checkComputer']],
  [failed('http/unreachable'), blocks, ['reconnect', 'allowTraffic', 'copyForHelpDesk']],
  [{ state: 'idle' }, blocks, ['reconnect', 'allowTraffic']],
  [{ state: 'idle' }, {}, ['connect']],
  [{ state: 'preparing', target }, {}, ['cancel']],
  [{ ...connected, allTraffic: true }, {}, ['disconnect']],
  [
    { ...connected, allTraffic: true, dns: undefined },
    {},
    ['disconnect', 'checkComputer', 'copyForHelpDesk'],
  ],
  [{ ...connected, allTraffic: true, passing: false }, {}, ['disconnect', 'tryOther', 'tryTcp']],
  [{ ...connected, allTraffic: true, passing: false }, { isHeld: true }, ['disconnect']],
  [
    { ...connected, allTraffic: false },
    { promisesAll: true },
    ['disconnect', 'reconnect', 'checkComputer', 'copyForHelpDesk'],
  ],
  [
    { ...connected, allTraffic: false, routes: [] },
    {},
    ['disconnect', 'reconnect', 'checkComputer', 'copyForHelpDesk'],
  ],
  [
    { ...connected, allTraffic: false, routesUnknown: true },
    {},
    ['disconnect', 'checkComputer', 'copyForHelpDesk'],
  ],
  [{ ...connected, allTraffic: false, routesUnknown: true }, { isHeld: true }, ['disconnect']],
  [lost, {}, ['disconnect', 'retryNow']],
  [{ ...lost, notYetConnected: true }, {}, ['cancel', 'retryNow']],
] as const)('offers for %j with %j: %j', (state, facts, verbs) => {
  expect(describeIt(state, facts).verbs).toEqual(verbs)
})

it.each([
  [failed('http/unreachable'), {}, false],
  [failed('http/unreachable'), blocks, false],
  [failed('openvpn/unreachable'), {}, true],
  [failed('openvpn/unreachable'), { preferTcp: true }, false],
  [failed('clock/wrong'), {}, false],
  [failed('clock/wrong'), { hasClockSettings: true }, true],
  [failed('vpn-api/server-error'), {}, true],
  [{ state: 'idle' }, {}, true],
] as const)('says for %j with %j if the first step helps: %j', (state, facts, firstHelps) => {
  expect(describeIt(state, facts).firstHelps).toBe(firstHelps)
})
