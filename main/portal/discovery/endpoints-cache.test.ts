import { expect, it } from 'vitest'
import type { ApiVersion } from '../../../contract/choices'
import type { ErrorCode } from '../../../contract/error-codes'
import { CausewayError } from '../../errors'
import { rejection } from '../../platform/http/test-server.testing'
import type { Discovery } from './discovery'
import { EndpointsCache } from './endpoints-cache'
import type { Endpoints, Instance } from '../instance/instance'

const instance: Instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }

function cacheWith(discover: Discovery['discover']): {
  cache: EndpointsCache
  wait: (minutes: number) => void
} {
  let now = 1_000_000
  const cache = new EndpointsCache({ discovery: { discover }, now: () => now })
  return {
    cache,
    wait: (minutes) => {
      now += minutes * 60_000
    },
  }
}

/** Returns endpoints that contain the number of requests and the address. */
function countingDiscovery(): { discover: Discovery['discover']; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    discover: (address) => {
      asked.push(address)
      const endpoints: Endpoints = {
        apiVersion: 2 as const,
        apiBaseUri: `${address}${asked.length}`,
        authorizationEndpoint: address,
        tokenEndpoint: address,
        services: {},
      }
      return Promise.resolve(endpoints)
    },
  }
}

it('makes one request for all concurrent callers', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache, wait } = cacheWith(discover)
  const many = await Promise.all(Array.from({ length: 10 }, () => cache.endpoints(instance)))
  wait(59)
  expect(new Set([...many, await cache.endpoints(instance)]).size).toBe(1)
  expect(asked).toHaveLength(1)
})

it('notices within an hour that an instance has moved', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache, wait } = cacheWith(discover)
  await cache.endpoints(instance)
  wait(60)
  await cache.endpoints(instance)
  wait(-120)
  await cache.endpoints(instance)
  expect(asked).toHaveLength(3)
})

it('makes a new request after an instance was dropped, and for a changed address', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache } = cacheWith(discover)
  await cache.endpoints(instance)
  cache.forget(instance.id)
  await cache.endpoints(instance)
  await cache.endpoints({ ...instance, address: 'http://localhost/' })
  expect(asked).toEqual([instance.address, instance.address, 'http://localhost/'])
})

it('does not cache a failure', async () => {
  const { discover } = countingDiscovery()
  let fail = true
  const { cache } = cacheWith((address) => {
    if (fail)
      return Promise.reject(new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } }))
    return discover(address)
  })
  await expect(cache.endpoints(instance)).rejects.toMatchObject({ code: 'http/unreachable' })
  fail = false
  expect(await cache.endpoints(instance)).toMatchObject({ apiBaseUri: 'https://vpn.example.org/1' })
})

it('lets one caller cancel without failing the others', async () => {
  const answer = new Set<(endpoints: Endpoints) => void>()
  const { cache } = cacheWith(() => new Promise((resolve) => answer.add(resolve)))
  const giveUp = new AbortController()
  const first = cache.endpoints(instance, giveUp.signal)
  const second = cache.endpoints(instance)
  giveUp.abort()
  await expect(first).rejects.toMatchObject({ code: 'http/cancelled' })
  const endpoints = await countingDiscovery().discover(instance.address)
  for (const resolve of answer) resolve(endpoints)
  expect(await second).toBe(endpoints)
})

it('returns the last known endpoints without a request, and reports new ones', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache, wait } = cacheWith(discover)
  const found: string[] = []
  const stop = cache.onFound((id) => found.push(id))
  expect(cache.latest(instance)).toBeUndefined()
  await cache.endpoints(instance)
  wait(120)
  expect(cache.latest(instance)?.apiBaseUri).toBe('https://vpn.example.org/1')
  expect(cache.latest({ ...instance, address: 'https://other.example.org/' })).toBeUndefined()
  expect(asked).toHaveLength(1)
  expect(found).toEqual([instance.id])
  stop()
  await cache.endpoints(instance)
  expect(found).toEqual([instance.id])
})

it('uses the API of a location with the login and the version of the home', async () => {
  const { discover } = countingDiscovery()
  const wanted: unknown[] = []
  const cache = new EndpointsCache({
    discovery: {
      discover: (address, options) => {
        wanted.push([address, options?.wanted])
        return discover(address, options)
      },
    },
    now: () => 0,
    apiAddress: () => Promise.resolve('https://de.example.org/'),
  })
  expect(await cache.endpoints(instance)).toMatchObject({
    apiBaseUri: 'https://de.example.org/2',
    tokenEndpoint: 'https://vpn.example.org/',
    loginElsewhere: true,
  })
  expect(wanted).toEqual([
    ['https://vpn.example.org/', undefined],
    ['https://de.example.org/', 2],
  ])
})

it.each<[ApiVersion, ApiVersion, ErrorCode]>([
  [3, 2, 'discovery/unsupported-version'],
  [2, 3, 'discovery/not-json'],
])(
  'says of a location that it has another version than the home: %i, and there %i',
  async (homeVersion, version, code) => {
    const { discover } = countingDiscovery()
    const cache = new EndpointsCache({
      discovery: {
        discover: async (address, options) => {
          const isHome = address === instance.address
          if (!isHome && options?.wanted !== undefined)
            throw CausewayError.fromReport({ code, details: { host: 'de.example.org', versions: [version] } })
          return { ...(await discover(address, options)), apiVersion: isHome ? homeVersion : version }
        },
      },
      now: () => 0,
      apiAddress: () => Promise.resolve('https://de.example.org/'),
    })
    expect(await rejection(cache.endpoints(instance))).toMatchObject({
      code: 'discovery/unsupported-version',
      message: expect.stringMatching(
        /^The location that you chose \(de\.example\.org\) uses another version/,
      ) as string,
      details: { versions: [version], wanted: homeVersion },
    })
  },
)

it('keeps the error of a location that cannot be reached', async () => {
  const { discover } = countingDiscovery()
  const gone = new CausewayError('discovery/not-found', { details: { host: 'de.example.org' } })
  const cache = new EndpointsCache({
    discovery: {
      discover: (address, options) =>
        address === instance.address ? discover(address, options) : Promise.reject(gone),
    },
    now: () => 0,
    apiAddress: () => Promise.resolve('https://de.example.org/'),
  })
  await expect(cache.endpoints(instance)).rejects.toBe(gone)
})

it('discovers home and location again once an address is gone, and keeps the old ones until then', async () => {
  const { discover, asked } = countingDiscovery()
  const cache = new EndpointsCache({
    discovery: { discover },
    now: () => 0,
    apiAddress: () => Promise.resolve('https://de.example.org/'),
  })
  await cache.endpoints(instance)
  await cache.expire(instance)
  expect(cache.latest(instance)).toBeDefined()
  await cache.endpoints(instance)
  expect(asked).toEqual(Array(2).fill(['https://vpn.example.org/', 'https://de.example.org/']).flat())
})
