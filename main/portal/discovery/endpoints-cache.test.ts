import { expect, it } from 'vitest'
import { CausewayError } from '../../errors'
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

/** Answers with endpoints that tell how often and for which address they were asked. */
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

it('asks an instance once for all who need its endpoints', async () => {
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

it('asks anew after it was told to forget, and for a changed address', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache } = cacheWith(discover)
  await cache.endpoints(instance)
  cache.forget(instance.id)
  await cache.endpoints(instance)
  await cache.endpoints({ ...instance, address: 'http://localhost/' })
  expect(asked).toEqual([instance.address, instance.address, 'http://localhost/'])
})

it('does not keep a failure', async () => {
  const { discover } = countingDiscovery()
  let fail = true
  const { cache } = cacheWith((address) => {
    if (fail) return Promise.reject(new CausewayError('http/unreachable', 'gone'))
    return discover(address)
  })
  await expect(cache.endpoints(instance)).rejects.toMatchObject({ code: 'http/unreachable' })
  fail = false
  expect(await cache.endpoints(instance)).toMatchObject({ apiBaseUri: 'https://vpn.example.org/1' })
})

it('lets one caller give up without failing the others', async () => {
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

it('tells what it knows without asking, however old that is, and when it knows more', async () => {
  const { discover, asked } = countingDiscovery()
  const { cache, wait } = cacheWith(discover)
  const found: string[] = []
  const stop = cache.onFound((id) => found.push(id))
  expect(cache.known(instance)).toBeUndefined()
  await cache.endpoints(instance)
  wait(120)
  expect(cache.known(instance)?.apiBaseUri).toBe('https://vpn.example.org/1')
  expect(cache.known({ ...instance, address: 'https://other.example.org/' })).toBeUndefined()
  expect(asked).toHaveLength(1)
  expect(found).toEqual([instance.id])
  stop()
  await cache.endpoints(instance)
  expect(found).toEqual([instance.id])
})
