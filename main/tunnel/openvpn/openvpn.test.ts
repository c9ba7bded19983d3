import { describe, expect, it } from 'vitest'
import type { Remote, TunnelProxy } from '../tunnel'
import { createTestAuthority } from './certificates.testing'
import { openVpn } from './openvpn'
import { portalProfile } from './profile.testing'

const authority = createTestAuthority()
const { certificate, privateKey } = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const how = { mode: 'full', preferTcp: false } as const
const udp = '192.0.2.1 1194 udp'
const tcp = '192.0.2.1 443 tcp'

function tunnel(...remotes: readonly string[]) {
  const profile = portalProfile({ ca: authority.certificate, remotes })
  return { protocol: 'openvpn', profile, certificate, privateKey } as const
}

describe('a proxy on the way to the servers', () => {
  const asked: string[] = []
  const protocol = (proxy?: TunnelProxy) =>
    openVpn(({ port }: Remote, use, signal) => {
      asked.push(`${String(port)} ${use}${signal?.aborted === true ? ', cancelled' : ''}`)
      return Promise.resolve(proxy)
    })

  it('is used, and asked for with the server over TCP, which alone it reaches', async () => {
    const proxy = { host: '192.0.2.8', port: 3128 }
    asked.length = 0
    expect(await protocol(proxy).describe(tunnel(udp, tcp), how)).toContain('\nhttp-proxy 192.0.2.8 3128')
    expect(await protocol().describe(tunnel(udp), how)).not.toContain('http-proxy')
    expect(await openVpn().describe(tunnel(udp), how)).not.toContain('http-proxy')
    expect(asked).toEqual(['443 compare', '1194 compare'])
  })

  it('is asked whether it refuses only when a tunnel starts', async () => {
    asked.length = 0
    const { configuration, hosts } = await protocol({ host: 'proxy', port: 1 }).prepare(tunnel(tcp), {
      ...how,
      avoid: [],
      signal: AbortSignal.abort(),
    })
    expect(String(configuration)).toContain('\nhttp-proxy proxy 1')
    expect(hosts).toEqual(['192.0.2.1'])
    expect(asked).toEqual(['443 start, cancelled'])
  })
})

it('has a configuration that is outdated once its servers are others', async () => {
  expect(await openVpn().isOutdated(tunnel(udp, tcp), tunnel(udp, tcp), how)).toBe(false)
  expect(await openVpn().isOutdated(tunnel(udp, tcp), tunnel(udp), how)).toBe(true)
})
