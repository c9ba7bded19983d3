import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { InstanceSlice } from '../../../contract/state'
import { openWindow, signedIn, type Opened } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const office = { ...target, profileId: 'office' }
const connected: ConnectionState = {
  state: 'connected',
  target,
  addresses: {},
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  allTraffic: true,
  since: 0,
}
const unknown: InstanceSlice = {
  ...signedIn,
  id: 'vpn.example.com',
  profiles: { status: 'loaded', items: [{ profileId: 'lab', displayName: 'Lab' }] },
}

const stage = () => within(screen.getByRole('region', { name: 'Connection' }))

async function choices({ user }: Opened): Promise<HTMLElement[]> {
  await user.click(stage().getByRole('button', { name: /Choose another profile/ }))
  return screen.findAllByRole('menuitemradio')
}

it('offers the profiles with their kind and what goes through them', async () => {
  const found = await choices(await openWindow({ instances: [signedIn] }))
  expect(found.map(({ textContent }) => textContent)).toEqual([
    'Internet access all traffic',
    "Office organization's networks only",
  ])
  expect(found.map((each) => each.getAttribute('aria-checked'))).toEqual(['true', 'false'])
  const icons = found.map((each) => each.querySelector('svg[class*=world], svg[class*=building]'))
  expect(icons.map((icon) => /world|building/.exec(icon?.getAttribute('class') ?? '')?.[0])).toEqual([
    'world',
    'building',
  ])
})

it('names the services where there are several, and says nothing of traffic that is not known', async () => {
  const opened = await openWindow({ instances: [unknown, signedIn] })
  expect((await choices(opened)).map(({ textContent }) => textContent)).toEqual([
    'Lab vpn.example.com',
    'Internet access vpn.example.org · all traffic',
    "Office vpn.example.org · organization's networks only",
  ])
})

it('connects to what is picked beside a connection, and only then', async () => {
  const opened = await openWindow({ instances: [signedIn], connection: connected })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(opened.ran.at(-1)).toEqual({ name: 'connect', input: office })
})

it.each<ConnectionState>([
  { state: 'preparing', target },
  { state: 'reconnecting', target, reason: 'ping-restart', routes: 'kept', attempt: 1 },
  { state: 'disconnecting', target, switching: true },
])('goes on to what is picked before the connection is up: $state', async (connection) => {
  const opened = await openWindow({ instances: [signedIn], connection })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(opened.ran.at(-1)).toEqual({ name: 'connect', input: office })
})

it('leaves a connection that ends alone, and offers what is picked for the next', async () => {
  const opened = await openWindow({ instances: [signedIn], connection: { state: 'disconnecting', target } })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(opened.ran).toEqual([])
  opened.change({ connection: { state: 'disconnected', target } })
  expect(stage().getByRole('button', { name: 'Connect: Office' })).toBeTruthy()
})

it('offers what was connected last, not what was picked before that', async () => {
  const lab = { instanceId: unknown.id, profileId: 'lab' }
  const opened = await openWindow({ instances: [signedIn, unknown], connection: connected })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  opened.change({ connection: { ...connected, target: office } })
  opened.change({ connection: { ...connected, target: lab } })
  opened.change({ connection: { state: 'disconnected', target: lab } })
  expect(stage().getByRole('button', { name: 'Connect: Lab' })).toBeTruthy()
})

it('takes over the connection of another process for what is picked, as its row does', async () => {
  const heldBy = { kind: 'terminal', pid: 7 } as const
  const opened = await openWindow({ instances: [signedIn], connection: connected, heldBy })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(opened.ran.at(-1)).toEqual({ name: 'connect', input: { ...office, takeOver: true } })
})

it('renews where the access of what is picked has ended', async () => {
  const ended = { ...unknown, ends: { at: 0, renewableFrom: 0 } }
  const opened = await openWindow({ instances: [signedIn, ended], connection: connected })
  await opened.user.click((await choices(opened))[2] ?? document.body)
  expect(opened.ran.at(-1)).toEqual({
    name: 'renewSession',
    input: { instanceId: unknown.id, profileId: 'lab' },
  })
})

it('forgets what was picked when something connects', async () => {
  const opened = await openWindow({ instances: [signedIn] })
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(opened.ran).toEqual([])
  expect(stage().getByRole('button', { name: 'Connect: Office' })).toBeTruthy()
  opened.change({ connection: connected })
  opened.change({ connection: { state: 'disconnected', target } })
  expect(stage().getByRole('button', { name: 'Connect: Internet access' })).toBeTruthy()
})

it('leads to the search', async () => {
  const opened = await openWindow({ instances: [signedIn] })
  await choices(opened)
  expect(document.querySelectorAll('[role=menu] .mantine-Menu-divider')).toHaveLength(1)
  await opened.user.click(screen.getByRole('menuitem', { name: 'Find another profile…' }))
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('search')
})

it('fills the step for another profile, or for new access, after a failure that nothing here helps', async () => {
  const failed = { state: 'failed', target, error: { code: 'http/unreachable', message: '' } } as const
  const opened = await openWindow({ instances: [signedIn], connection: failed })
  const filled = () =>
    stage()
      .getAllByRole('button')
      .filter((each) => each.dataset.variant === 'filled')
      .map(({ textContent }) => textContent)
  const what = "couldn't be reached"
  expect(screen.getByRole('status').textContent).toContain(what)
  expect(filled()).toEqual([])
  await opened.user.click((await choices(opened))[1] ?? document.body)
  expect(screen.getByRole('status').textContent).not.toContain(what)
  expect(filled()).toEqual(['Connect'])
  opened.change({ instances: [{ ...signedIn, ends: { at: 0, renewableFrom: 0 } }] })
  await opened.user.click((await choices(opened))[0] ?? document.body)
  expect(filled()).toEqual(['Renew'])
})
