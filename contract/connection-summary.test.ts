import { describe, expect, it } from 'vitest'
import type { ConnectionState } from './connection'
import {
  carriedTraffic,
  connectTarget,
  isAsPromised,
  promisesAll,
  unattendedTarget,
} from './connection-summary'
import { describeConnection } from './describe-connection'
import type { InstanceSlice, ProfileItem } from './state'

const idle: ConnectionState = { state: 'idle' }
const target = (instanceId: string, profileId: string) => ({ instanceId, profileId })

function instance(id: string, ...profiles: readonly (string | ProfileItem)[]): InstanceSlice {
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    profiles: {
      status: 'loaded',
      items: profiles.map((each) =>
        typeof each === 'string' ? { profileId: each, displayName: each } : each,
      ),
    },
    messages: { status: 'loaded', items: [] },
  }
}

const dns = { servers: ['10.0.0.53'], domains: [], applied: true }

function connected(
  allTraffic?: boolean,
  names: Partial<Extract<ConnectionState, { state: 'connected' }>> = { dns },
): ConnectionState {
  return {
    state: 'connected',
    target: target('a', 'internet'),
    addresses: {},
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    allTraffic,
    ...names,
    since: 0,
  }
}

describe('without a named profile, Causeway connects to', () => {
  const unsupported: ProfileItem = { profileId: 'wg', displayName: 'WireGuard', notSupported: true }
  const [a, b] = [instance('a', 'internet', 'office'), instance('b', 'one')]

  it.each([
    ['nothing without instances', idle, [], [], undefined],
    ['the only profile', idle, [instance('a', 'internet')], [], target('a', 'internet')],
    ['the first of several profiles', idle, [a], [], target('a', 'internet')],
    ['the first supported profile', idle, [instance('a', unsupported, 'one', 'two')], [], target('a', 'one')],
    ['the first of several instances', idle, [instance('a'), b], [], target('b', 'one')],
    [
      'the most recent profile',
      idle,
      [a, b],
      [target('b', 'one'), target('a', 'office')],
      target('b', 'one'),
    ],
    [
      'the most recent profile that is still offered',
      idle,
      [a, b],
      [target('gone', 'one'), target('a', 'gone'), target('a', 'office')],
      target('a', 'office'),
    ],
    [
      'the most recent profile while logged out, when the profiles are unknown',
      idle,
      [instance('a')],
      [target('a', 'office')],
      target('a', 'office'),
    ],
    [
      'the profile of the connection that is shown, before the most recent one',
      { state: 'disconnected', target: target('b', 'one') },
      [a, b],
      [target('a', 'office')],
      target('b', 'one'),
    ],
    [
      'the most recent profile if that of the connection is gone',
      { state: 'disconnected', target: target('gone', 'one') },
      [a, b],
      [target('a', 'office')],
      target('a', 'office'),
    ],
    ['no profile that is not supported', idle, [instance('a', unsupported)], [], undefined],
    ['the only supported profile', idle, [instance('a', 'one', unsupported)], [], target('a', 'one')],
    [
      'no recent profile that is no longer supported',
      { state: 'disconnected', target: target('a', 'wg') },
      [instance('a', 'internet', 'office', unsupported)],
      [target('a', 'wg')],
      target('a', 'internet'),
    ],
  ] as const)('%s', (_what, connection, instances, recent, expected) => {
    expect(connectTarget({ connection, instances: [...instances], shortcuts: { recent } })).toEqual(expected)
  })

  it('none of several that nobody has used, where nobody is there to see it', () => {
    const shortcuts = { recent: [] }
    expect(unattendedTarget({ connection: idle, instances: [a], shortcuts })).toBeUndefined()
    expect(unattendedTarget({ connection: idle, instances: [b], shortcuts })).toEqual(target('b', 'one'))
    const recent = [target('a', 'office')]
    expect(unattendedTarget({ connection: idle, instances: [a], shortcuts: { recent } })).toEqual(recent[0])
  })
})

const toneOf = (connection: ConnectionState, promises?: boolean) =>
  describeConnection(connection, { locale: 'en', promisesAll: promises }).tone

describe('the traffic through a tunnel', () => {
  it.each([
    [true, true, 'everything', 'on'],
    [true, false, 'everything', 'on'],
    [true, undefined, 'everything', 'on'],
    [false, false, 'networks', 'on'],
    [false, undefined, 'networks', 'on'],
    [false, true, 'lessThanPromised', 'limited'],
    [undefined, true, 'checking', 'limited'],
    [undefined, false, 'checking', 'limited'],
    [undefined, undefined, 'checking', 'limited'],
  ] as const)('with all traffic %s and promised %s is %s, in the tone %s', (all, promised, carried, tone) => {
    expect(carriedTraffic({ allTraffic: all, dns }, promised)).toBe(carried)
    expect(toneOf(connected(all), promised)).toBe(tone)
  })

  it('is everything but the local networks, which are named', () => {
    const local = ['192.168.1.0/24', '172.17.0.0/16', 'fd12::/64']
    expect(carriedTraffic({ allTraffic: true, dns, local }, true)).toBe('everythingButLocal')
    const up: ConnectionState = { ...connected(true), ...{ local } }
    const described = describeConnection(up, { locale: 'en' })
    expect(described).toMatchObject({ tone: 'on', values: { local: '192.168.1.0/24, 172.17.0.0/16, +1' } })
  })

  it.each([
    ['without DNS servers', {}],
    ['whose DNS servers are not in use', { dns: { ...dns, applied: false } }],
    ['whose DNS servers are reached outside it', { dns, dnsOutside: dns.servers }],
  ])('is never everything through a tunnel %s', (_what, names) => {
    expect(carriedTraffic({ allTraffic: true, ...names }, true)).toBe('namesOutside')
    expect(toneOf(connected(true, names), true)).toBe('limited')
  })

  it.each([true, false, undefined])('is limited if IPv6 leaves outside (promised: %s)', (promised) => {
    const routes = { allTraffic: false, allIpv4: true } as const
    expect(carriedTraffic(routes, promised)).toBe('onlyIpv4')
    expect(toneOf({ ...connected(false), ...routes }, promised)).toBe('limited')
  })

  it.each([true, false, undefined])(
    'is none, and never green, without a route (promised: %s)',
    (promised) => {
      const routes = { allTraffic: false, routes: [] } as const
      expect(carriedTraffic(routes, promised)).toBe('noRoutes')
      const { lanes, tone } = describeConnection(
        {
          state: 'connected',
          target: target('a', 'internet'),
          addresses: {},
          remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
          ...routes,
          since: 0,
        },
        { locale: 'en', promisesAll: promised },
      )
      expect(tone).toBe('limited')
      expect(lanes).toEqual({ organization: 'direct', rest: 'direct' })
    },
  )

  it('is promised by the profile of the connection', () => {
    const internet = { profileId: 'internet', displayName: 'Internet', defaultGateway: true }
    const instances = [instance('b', 'internet'), instance('a', internet)]
    expect(promisesAll(connected(), instances)).toBe(true)
    expect(promisesAll({ state: 'disconnected', target: target('b', 'internet') }, instances)).toBeUndefined()
    expect(promisesAll(idle, instances)).toBeUndefined()
  })
})

describe('a tunnel that divides apps', () => {
  const apps = { mode: 'except', outside: ['firefox'], inside: [], running: [] } as const
  const only = { mode: 'only', outside: [], inside: ['firefox'], running: [] } as const

  it.each([
    ['everythingButApps', { allTraffic: true, dns, apps }, true],
    ['everything', { allTraffic: true, dns, apps: { ...apps, outside: [] } }, true],
    // A leak counts more than what the person chose.
    ['namesOutside', { allTraffic: true, apps }, false],
    ['networks', { allTraffic: false, routes: ['10.0.0.0/8'], dns, apps }, true],
    ['onlyApps', { allTraffic: true, dns, apps: only }, true],
    ['noApps', { allTraffic: true, dns, apps: { ...only, inside: [] } }, false],
    ['nothing', { allTraffic: true, passing: false, dns, apps: only }, false],
    ['checking', { apps: only }, false],
  ] as const)('carries %s', (carried, connection, isPromised) => {
    expect(carriedTraffic(connection, undefined)).toBe(carried)
    expect(isAsPromised(carried)).toBe(isPromised)
  })
})
