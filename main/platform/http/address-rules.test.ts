import type { lookup } from 'node:dns'
import { expect, it } from 'vitest'

import { createAddressRules } from './address-rules'

const names: Readonly<Record<string, readonly string[]>> = {
  'vpn.example.org': ['2001:4860:4860::8888', '192.0.2.1'],
  'vpn.internal': ['10.0.0.5'],
  'vpn.mixed': ['10.0.0.5', '192.0.2.1'],
}

function rules() {
  let asked = 0
  const resolve = ((host: string, _: unknown, callback: (error: unknown, found: unknown) => void) => {
    asked += 1
    const found = names[host]
    callback(
      found === undefined ? new Error('not found') : null,
      found?.map((address) => ({ address })),
    )
  }) as unknown as typeof lookup
  return { rules: createAddressRules(resolve, () => ['10.0.0.7', '203.0.113.8']), asked: () => asked }
}

it.each([
  [
    'vpn.example.org',
    'guard.example.org',
    { '203.0.113.7': true, '198.18.0.9': true, '10.0.0.9': false, '169.254.169.254': false, '::1': false },
  ],
  ['vpn.unknown', 'guard.example.org', { '203.0.113.7': true, 'fd00::1': false }],
  ['vpn.mixed', 'guard.example.org', { '10.0.0.9': false }],
  [
    'vpn.internal',
    'guard.internal',
    { '203.0.113.7': true, '10.0.0.9': true, '127.0.0.1': false, '10.0.0.7': false, '203.0.113.8': false },
  ],
  ['vpn.example.org', 'vpn.example.org', { '10.0.0.9': true, '127.0.0.1': false }],
  ['127.0.0.1', 'guard.internal', { '10.0.0.9': true, '127.0.0.1': false, '0.0.0.0': false }],
])(
  'carries the tunnel of %s to %s no further inside than the service is',
  async (service, server, allowed) => {
    const mayReach = rules().rules.ruleForTunnel(
      new URL(`https://${server}`),
      new URL(`https://${service}/api`),
    )
    const found = await Promise.all(
      Object.keys(allowed).map(async (address) => [address, await mayReach(address)] as const),
    )
    expect(Object.fromEntries(found)).toEqual(allowed)
  },
)

it('asks for a service in a private network once: later the tunnel may stand in the way', async () => {
  const { rules: same, asked } = rules()
  const [server, service] = [new URL('https://guard.internal'), new URL('https://vpn.internal/api')]
  for (let time = 0; time < 2; time += 1)
    expect(await same.ruleForTunnel(server, service)('10.0.0.9')).toBe(true)
  expect(asked()).toBe(1)
})
