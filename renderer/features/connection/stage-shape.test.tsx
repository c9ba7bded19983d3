import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { openWindow, signedIn } from '../../fake-bridge.testing'

const target = { instanceId: signedIn.id, profileId: 'internet' }
const connected = {
  state: 'connected',
  target,
  addresses: {},
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  allTraffic: true,
  since: 0,
} as const
const failed: ConnectionState = {
  state: 'failed',
  target,
  error: { code: 'vpn-api/server-error', message: '' },
}

const stage = (): HTMLElement => screen.getByRole('region', { name: 'Connection' })
const drawn = (): string | null | undefined =>
  stage().querySelector('svg[viewBox^="0 0"][data-tone]')?.textContent
const width = (): string | undefined =>
  stage().querySelector('svg[data-tone]')?.getAttribute('viewBox')?.split(' ')[2]
const isSmall = (): boolean => screen.getByRole('status').querySelector('[data-long=true]') !== null

describe('in a narrow window', () => {
  beforeEach(() => {
    const page = { onchange: null, addEventListener: () => undefined, removeEventListener: () => undefined }
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) => ({ ...page, media, matches: media.includes('560px') }) as unknown as MediaQueryList,
    )
  })

  it('the drawing is narrow, and a state that is too wide for its place is set smaller', async () => {
    const { change } = await openWindow({ instances: [signedIn], connection: connected })
    expect(width()).toBe('368')
    expect(isSmall()).toBe(false)
    expect(stage().querySelector('[data-long]')).toBeNull()
    // Beside "Try again", not beside a shorter button.
    change({ connection: failed })
    expect(isSmall()).toBe(true)
  })
})

it('the drawing is wide, and no state is too wide, in a wide window', async () => {
  await openWindow({ instances: [signedIn], connection: failed })
  expect(width()).toBe('632')
  expect(stage().querySelector('[data-long]')).toBeNull()
})

it.each<[object, string | RegExp]>([
  [{}, /Everything elsethrough the VPN$/],
  [{ local: ['192.168.1.0/24'] }, /Everything elseeverything but the local ?network 192.168.1.0\/24$/],
  [
    { apps: { mode: 'except', outside: ['Mail'], inside: [], running: [] } },
    /1 app directly.*Everything elseeverything but 1 app$/,
  ],
  [
    { allTraffic: false, apps: { mode: 'only', outside: [], inside: ['Mail', 'Files'], running: [] } },
    /only 2 apps/,
  ],
])('draws what a connection leaves out: %j', async (carried, texts) => {
  await openWindow({ instances: [signedIn], connection: { ...connected, ...carried } })
  expect(drawn()).toMatch(texts)
})
