import { isIP } from 'node:net'
import type { ConnectionTarget, ProfileChoice } from '../../contract/connection'
import type { ProfileChoices } from '../connection/profile-list'
import { CausewayError } from '../errors'
import { type Proxy, type ProxyFor, proxyName } from '../platform/http/proxies'
import type { SettingsStore } from '../platform/settings/settings-store'
import type { InstanceList } from '../portal/instance/instance-list'
import type { Remote, TunnelProxy } from '../tunnel/tunnel'

interface TunnelProxyOptions {
  readonly settings: Pick<SettingsStore, 'all'>
  readonly instances: Pick<InstanceList, 'find'>
  readonly profileChoices: Pick<ProfileChoices, 'of'>
  readonly proxyFor: ProxyFor
}

type Server = Pick<Remote, 'host' | 'port'>

/** The proxy of tunnels, of any protocol: none without the setting `tunnelProxy` (docs/proxies.md). */
export function createTunnelProxy({ settings, instances, profileChoices, proxyFor }: TunnelProxyOptions) {
  const isOn = async () => (await settings.all()).tunnelProxy
  return {
    /** Returns the proxy on the way to a server; undefined for none. Throws `http/unreachable` for one that can't be used. */
    to: async (server: Server): Promise<Proxy | undefined> => {
      if (!(await isOn())) return undefined
      const url = urlOf(server)
      const proxy = await proxyFor(url)
      if (proxy !== undefined && 'problem' in proxy) throw unusableProxy(url, proxy.source)
      return proxy
    },
    /** Returns the wishes for a profile: TCP alone if its tunnel will go through a proxy, as requests to its portal do. */
    choiceFor: async (target: ConnectionTarget): Promise<ProfileChoice | undefined> => {
      const choice = await profileChoices.of(target)
      if (!(await isOn())) return choice
      const { address } = await instances.find(target.instanceId)
      if ((await proxyFor(new URL(address))) === undefined) return choice
      return { ...target, protocol: 'auto', ...choice, tcpOnly: true }
    },
  }
}

/** Returns the proxy for OpenVPN. Throws `http/unreachable` for one that speaks https, which it can't use. */
export function openVpnProxy(server: Server, proxy: Proxy | undefined): TunnelProxy | undefined {
  if (proxy?.protocol === 'https:') throw unusableProxy(urlOf(server), `https://${proxyName(proxy)}`)
  return proxy
}

function unusableProxy({ host }: URL, proxy: string): CausewayError {
  return new CausewayError('http/unreachable', {
    variant: 'proxy-unusable',
    details: { host, reason: 'proxy', proxy },
  })
}

export function urlOf({ host, port }: Server): URL {
  return new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`)
}
