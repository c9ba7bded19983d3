import { expect, it } from 'vitest'

import { createRunnableFor } from './runnable-for'

const both = ['openvpn', 'wireguard'] as const
const protocolsFor = (
  protocols: readonly ('openvpn' | 'wireguard')[],
  {
    killSwitch = true,
    protocol,
    platform = 'win32',
  }: { killSwitch?: boolean; protocol?: 'openvpn'; platform?: NodeJS.Platform } = {},
) => {
  const runnableFor = createRunnableFor(() => Promise.resolve(killSwitch), {
    platform,
    find: () => Promise.resolve(both),
  })
  return runnableFor({ protocols }, { protocol })
}

it('asks for WireGuard alone on Windows with the kill switch, where a profile has it', async () => {
  expect(await protocolsFor(both)).toEqual(['wireguard'])
  expect(await protocolsFor(both, { killSwitch: false })).toEqual(both)
  expect(await protocolsFor(both, { platform: 'linux' })).toEqual(both)
  // The error of the kill switch says more than that of a protocol.
  expect(await protocolsFor(['openvpn'])).toEqual(both)
  expect(await protocolsFor(both, { protocol: 'openvpn' })).toEqual(both)
})
