import type { Slices } from './causeway-app'

/** Slices of every state that the main view has, for tests of its measures and for pictures. */

interface Names {
  readonly university: string
  readonly institute: string
  readonly office: string
  readonly internet: string
}

const english: Names = {
  university: 'Example University',
  institute: 'Sample Institute',
  office: 'Office Network',
  internet: 'Internet Access',
}

/** Names as services give them, in the language of the person where they have them. */
const namesIn: Readonly<Record<string, Names>> = {
  de: {
    university: 'Beispiel-Universität',
    institute: 'Musterinstitut',
    office: 'Büronetz',
    internet: 'Internetzugang',
  },
  ar: {
    university: 'جامعة المثال',
    institute: 'معهد العينة',
    office: 'شبكة المكتب',
    internet: 'الوصول إلى الإنترنت',
  },
  ja: {
    university: '例示大学',
    institute: 'サンプル研究所',
    office: '学内ネットワーク',
    internet: 'インターネット接続',
  },
}

const id = 'vpn.example.edu'
const office = { instanceId: id, profileId: 'office' }
const internet = { instanceId: id, profileId: 'internet' }
const minuteMs = 60_000
/** Far enough for its date, not its hours, to be shown. */
const untilFarMs = 90 * 24 * 60 * minuteMs

function service(
  id: string,
  name: string,
  profiles: readonly (readonly [profileId: string, displayName: string, defaultGateway: boolean])[],
  more: Slices = {},
): Slices {
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    ends: { at: Date.now() + untilFarMs, renewableFrom: Date.now() + untilFarMs - 60 * minuteMs },
    listing: { name, supportContacts: ['mailto:help@example.edu'] },
    profiles: {
      status: 'loaded',
      items: profiles.map(([profileId, displayName, defaultGateway]) => ({
        profileId,
        displayName,
        defaultGateway,
      })),
    },
    messages: { status: 'loaded', items: [] },
    ...more,
  }
}

const error = (code: string): Slices => ({
  connection: { state: 'failed', target: office, error: { code, message: '' } },
})

/**
 * Returns the states by name. Each has all slices in which the states differ, so that they can be sent in any order.
 *
 * @param language the language of the services' own names (BCP 47)
 */
export function connectionStates(language = 'en'): Readonly<Record<string, Slices>> {
  const {
    university,
    institute: instituteName,
    office: officeName,
    internet: internetName,
  } = namesIn[language] ?? english
  const universityWith = (more: Slices): Slices =>
    service(
      id,
      university,
      [
        ['office', officeName, false],
        ['internet', internetName, true],
        ['lab', 'Lab VLAN', false],
      ],
      more,
    )
  const institute = (more: Slices = {}): Slices =>
    service('vpn.example.com', instituteName, [], {
      login: 'signed-out',
      ends: undefined,
      profiles: { status: 'unknown', items: [] },
      ...more,
    })
  const both = (more: Slices = {}): readonly Slices[] => [universityWith(more), institute()]
  const waiting = (): Slices => ({
    login: 'waiting-for-browser',
    hasSignedIn: true,
    browser: { until: Date.now() + 299_500 },
  })
  const base: Slices = {
    instances: both(),
    connection: { state: 'disconnected', target: office },
    killSwitch: { here: 'available', blocks: false },
    shortcuts: { recent: [office, internet], starred: [] },
    organizationSearch: { available: true },
    heldBy: undefined,
  }
  const connected = {
    state: 'connected',
    target: office,
    addresses: { ipv4: '10.42.0.2' },
    remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
    allTraffic: false,
    dns: { servers: ['10.0.0.53'], domains: [], applied: true },
    since: Date.now() - 83 * minuteMs,
  }
  const lost = {
    state: 'reconnecting',
    target: office,
    reason: 'ping-restart',
    attempt: 1,
    allTraffic: false,
  }
  const soon = { at: Date.now() + 199.5 * minuteMs, renewableFrom: 0 }
  const over = { at: Date.now() - minuteMs, renewableFrom: 0 }
  const eight = Array.from({ length: 8 }, (_, number) =>
    service(
      `vpn${number + 1}.example.net`,
      `Sample Institute ${number + 1}`,
      Array.from(
        { length: 12 },
        (__, profile) => [`p${profile}`, `Laboratory ${profile + 1}`, false] as const,
      ),
      number % 3 === 2
        ? { login: 'signed-out', ends: undefined, profiles: { status: 'unknown', items: [] } }
        : {},
    ),
  )
  const states: Readonly<Record<string, Slices>> = {
    'not connected': {},
    connecting: {
      connection: { state: 'connecting', target: office, phase: 'contacting', remote: connected.remote },
    },
    'all traffic': { connection: { ...connected, target: internet, allTraffic: true } },
    split: { connection: connected },
    'less than promised': { connection: { ...connected, target: internet } },
    'routes not known yet': { connection: { ...connected, allTraffic: undefined } },
    'local network outside': {
      connection: { ...connected, target: internet, allTraffic: true, local: ['192.168.1.0/24'] },
    },
    'names outside': { connection: { ...connected, target: internet, allTraffic: true, dns: undefined } },
    'only IPv4': { connection: { ...connected, target: internet, allIpv4: true } },
    'networks outside': { connection: { ...connected, target: internet, outside: ['203.0.113.0/24'] } },
    'no routes': { connection: { ...connected, routes: [] } },
    'routes not readable': { connection: { ...connected, routesUnknown: true } },
    'nothing comes back': {
      connection: { ...connected, target: internet, allTraffic: true, passing: false },
    },
    'reconnecting, kept': { connection: { ...lost, target: internet, allTraffic: true, routes: 'kept' } },
    'reconnecting, gone': {
      connection: { ...lost, routes: 'gone', attempt: 3, nextAttemptAt: Date.now() + 30_000 },
    },
    'reconnecting, blocked': {
      connection: { ...lost, routes: 'gone', attempt: 3, nextAttemptAt: Date.now() + 30_000 },
      killSwitch: { here: 'available', blocks: true },
    },
    'reconnecting, networks kept': {
      connection: { ...lost, routes: 'kept', attempt: 3, nextAttemptAt: Date.now() + 30_000 },
    },
    'no network': {
      connection: { ...lost, target: internet, allTraffic: true, routes: 'kept', waitingForNetwork: true },
    },
    'captive portal': { connection: { ...lost, reason: 'captive-portal', routes: 'gone' } },
    'captive portal, routes kept': {
      connection: { ...lost, target: internet, reason: 'captive-portal', allTraffic: true, routes: 'kept' },
    },
    'captive portal, blocked': {
      connection: { ...lost, reason: 'captive-portal', routes: 'gone' },
      killSwitch: { here: 'available', blocks: true },
    },
    'captive portal, connecting': {
      connection: { ...lost, reason: 'captive-portal', routes: 'gone', notYetConnected: true },
    },
    'captive portal, failed': error('network/captive-portal'),
    'first attempt failed': {
      connection: { ...lost, routes: 'gone', notYetConnected: true, nextAttemptAt: Date.now() + 30_000 },
    },
    cancelled: { connection: { state: 'disconnected', target: office, notYetConnected: true } },
    'ended by a terminal': {
      connection: {
        state: 'disconnected',
        target: office,
        by: { kind: 'terminal', pid: 4_194_304, takesOver: false },
      },
    },
    'cancelled by a window': {
      connection: {
        state: 'disconnected',
        target: office,
        notYetConnected: true,
        by: { kind: 'window', pid: 4_194_304, takesOver: false },
      },
    },
    'taken over': {
      connection: {
        state: 'disconnected',
        target: office,
        by: { kind: 'terminal', pid: 4_194_304, takesOver: true },
      },
    },
    disconnecting: { connection: { state: 'disconnecting', target: office } },
    switching: { connection: { state: 'disconnecting', target: internet, switching: true } },
    'a new start': {
      connection: { state: 'disconnecting', target: internet, switching: true, again: true },
    },
    failed: error('openvpn/unreachable'),
    'OpenVPN is missing': error('openvpn/not-found'),
    'a refused login': error('oauth/access-denied'),
    blocked: {
      connection: { state: 'disconnected', target: internet },
      killSwitch: { here: 'available', blocks: true },
    },
    'blocked after a failure': {
      connection: { state: 'failed', target: internet, error: { code: 'openvpn/unreachable', message: '' } },
      killSwitch: { here: 'available', blocks: true },
    },
    'access ends soon': { instances: both({ ends: soon }), connection: connected },
    'access has ended': {
      instances: both({ ends: over }),
      ...error('session/over'),
    },
    'held by a terminal': { connection: connected, heldBy: { kind: 'terminal', pid: 4711 } },
    'the browser is opened': {
      instances: both({ login: 'waiting-for-browser', hasSignedIn: true }),
      connection: { state: 'authorizing', target: office },
    },
    'your turn, connecting': {
      instances: both(waiting()),
      connection: { state: 'authorizing', target: office },
    },
    'your turn, renewing': { instances: both({ ...waiting(), renewing: true }), connection: connected },
    'your turn, renewing, not all traffic': {
      instances: both({ ...waiting(), renewing: true }),
      connection: { ...connected, target: internet },
    },
    'your turn, another service': {
      instances: [universityWith({}), institute(waiting())],
      connection: connected,
    },
    'your turn, blocked': {
      instances: both(waiting()),
      connection: { state: 'disconnected', target: internet },
      killSwitch: { here: 'available', blocks: true },
    },
    'your turn, in a terminal': {
      connection: { state: 'authorizing', target: office },
      heldBy: { kind: 'terminal', pid: 4_194_304 },
    },
    'your turn, the first sign-in': {
      instances: [institute({ ...waiting(), hasSignedIn: undefined })],
      connection: { state: 'idle' },
      shortcuts: { recent: [], starred: [] },
    },
    renewing: { instances: both({ renewing: true }), connection: connected },
    'eight services': {
      instances: [...both(), ...eight],
      shortcuts: {
        recent: [office, internet],
        starred: [{ instanceId: 'vpn1.example.net', profileId: 'p3' }],
      },
      connection: connected,
    },
    'signed out': {
      instances: [
        universityWith({
          login: 'signed-out',
          hasSignedIn: true,
          ends: undefined,
          profiles: { status: 'unknown', items: [] },
        }),
      ],
      connection: { state: 'idle' },
      shortcuts: { recent: [], starred: [] },
    },
  }
  return Object.fromEntries(Object.entries(states).map(([name, slices]) => [name, { ...base, ...slices }]))
}
