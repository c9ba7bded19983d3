import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { createBlockedNetworks, isAnotherNetwork } from './blocked-networks'
import { testReporter } from '../reporter.testing'

it('remembers a network for a day, for every process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-blocked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let hours = 0
  const create = () =>
    createBlockedNetworks({
      dataDirectory: folder,
      now: () => new Date(hours * 3_600_000),
      reporter: testReporter(),
      current: () => Promise.resolve('wlan0 0101A8C0'),
    })
  const first = create()
  expect(await first.has('wlan0 0101A8C0')).toBe(false)
  await first.add(await first.current())
  await first.add(undefined)
  hours = 23
  expect(await create().has('wlan0 0101A8C0')).toBe(true)
  expect(await create().has('eth0 0101A8C0')).toBe(false)
  expect(await create().has(undefined)).toBe(false)
  hours = 24
  expect(await create().has('wlan0 0101A8C0')).toBe(false)
})

it('forgets a network whose time is in the future, as after a clock that was wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-blocked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let hours = 48
  const blocked = createBlockedNetworks({
    dataDirectory: folder,
    now: () => new Date(hours * 3_600_000),
    reporter: testReporter(),
  })
  await blocked.add('wlan0 0101A8C0')
  hours = 47
  expect(await blocked.has('wlan0 0101A8C0')).toBe(false)
  await blocked.add('eth0 0101A8C0')
  hours = 48
  expect(await blocked.has('wlan0 0101A8C0')).toBe(false)
  expect(await blocked.has('eth0 0101A8C0')).toBe(true)
})

it('remembers more than one network, from that moment on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-blocked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const blocked = createBlockedNetworks({
    dataDirectory: folder,
    now: () => new Date(0),
    reporter: testReporter(),
  })
  for (const network of ['home', 'hotel', 'hotel']) await blocked.add(network)
  expect([await blocked.has('home'), await blocked.has('hotel')]).toEqual([true, true])
  const { data } = JSON.parse(await readFile(join(folder, 'blocked-networks.json'), 'utf8')) as {
    data: { networks: unknown[] }
  }
  expect(data.networks).toHaveLength(2)
})

it('takes no network for a blocked one if its memory cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-blocked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'blocked-networks.json'))
  const blocked = createBlockedNetworks({
    dataDirectory: folder,
    now: () => new Date(0),
    reporter: testReporter(),
  })
  expect(await blocked.has('wlan0 0101A8C0')).toBe(false)
})

it.each([
  ['home', 'home', false],
  ['home', 'office', true],
  ['home', undefined, false],
  [undefined, 'office', false],
])('knows whether the computer has moved from %s to %s', (then, now, hasMoved) => {
  expect(isAnotherNetwork(then, now)).toBe(hasMoved)
})
