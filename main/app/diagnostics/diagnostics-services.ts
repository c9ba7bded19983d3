import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type { FindingItem } from '../../../contract/doctor'
import { isLoopbackHost } from '../../../contract/safe-url'
import type { Settings } from '../../../contract/settings'
import type { TunnelLock } from '../../connection/lock/tunnel-lock'
import type { HttpClient } from '../../platform/http/http-client'
import type { Transport } from '../../platform/http/transport'
import type { EndpointsCache } from '../../portal/discovery/endpoints-cache'
import type { Instance } from '../../portal/instance/instance'
import type { TunnelServices } from '../tunnel-services'
import type { ProxyFor } from '../../platform/http/proxies'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { type SettingsStore, createSettingsStore } from '../../platform/settings/settings-store'
import type { StoredOptions } from '../../platform/storage/json-file'
import type { InstanceList } from '../../portal/instance/instance-list'
import type { Updates } from '../../updates/updates'
import type { FindPolicy } from '../policy'
import type { DoctorOptions } from './doctor-options'
import type { OpenLog } from './open-log'
import type { SupportReport } from './support-report'

/** What is wrong with this computer, and a report about it. */
export interface Diagnostics {
  diagnose(): Promise<FindingItem[]>
  /** Tries the way to a service. Never throws but for a defect. */
  diagnoseService(instance: Instance): Promise<FindingItem[]>
  /** Creates a support report without secrets. Throws `data/unreadable`. */
  supportReport(): Promise<SupportReport>
}

interface DiagnosticsOptions {
  readonly stored: StoredOptions
  readonly settings: SettingsStore
  /** A program to use instead of the setting's. */
  readonly openVpnPath: string | undefined
  readonly findPolicy: FindPolicy
  readonly secretStore: SecretStore
  readonly instances: Pick<InstanceList, 'all'>
  readonly proxyFor: ProxyFor
  readonly updates: () => Promise<Updates>
  readonly lock: TunnelLock
  readonly killSwitch: Pick<TunnelServices['killSwitch'], 'check'>
  readonly profileChoices: Pick<TunnelServices['profileChoices'], 'all'>
  readonly getTransport: () => Promise<Transport>
  readonly http: HttpClient
  readonly cache: EndpointsCache
  readonly makeReport: OpenLog['makeReport']
}

export function createDiagnostics(options: DiagnosticsOptions): Diagnostics {
  const {
    stored,
    settings,
    openVpnPath,
    findPolicy,
    secretStore,
    updates,
    lock,
    killSwitch,
    profileChoices,
    getTransport,
    http,
    cache,
    makeReport,
  } = options
  /** The settings, which a policy with a mistake must not stop: that is what they are asked about. */
  async function knownSettings(): Promise<Settings> {
    const usable = await findPolicy().then(
      () => true,
      () => false,
    )
    return (usable ? settings : createSettingsStore(stored)).all({ openvpnPath: openVpnPath })
  }

  /** An administrator's choice is for every profile; a file that can't be read is another finding's. */
  async function dividesApps(appsMode: Settings['appsMode']): Promise<DoctorOptions['dividesApps']> {
    if (appsMode !== 'all') return 'for all profiles'
    const [managed, chosen] = await Promise.all([
      settings.managed().catch((): readonly string[] => []),
      profileChoices.all().catch(() => []),
    ])
    if (managed.includes('appsMode')) return undefined
    const isDivided = chosen.some((choice) => choice.appsMode !== undefined && choice.appsMode !== 'all')
    return isDivided ? 'for a profile' : undefined
  }

  async function findings({ openvpnPath, appsMode }: Settings): Promise<FindingItem[]> {
    const { diagnose } = await import('./doctor')
    return diagnose({
      secretStore,
      openVpnPath: openvpnPath || undefined,
      findPolicy,
      platform: process.platform,
      env: process.env,
      proxies: () => proxiesToServices(options),
      randomText: () => randomBytes(16).toString('hex'),
      dataDirectory: stored.dataDirectory,
      dividesApps: await dividesApps(appsMode),
      isBlocked: async () => (await lock.use()).use === 'free' && (await killSwitch.check()),
      ownDevices: async () => {
        const device = (await connected(lock))?.device
        return device === undefined ? [] : [device]
      },
      updates: async () => (await updates()).status(),
    })
  }

  return {
    diagnose: async () => findings(await knownSettings()),
    diagnoseService: async (instance) => {
      const { portalFindings } = await import('./portal-findings')
      return portalFindings({
        instance,
        transport: getTransport,
        http,
        lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
        endpoints: () => cache.home(instance),
        hasUdpTunnel: async () => {
          const connection = await connected(lock)
          return connection?.target.instanceId === instance.id && connection.remote.protocol === 'udp'
        },
        now: Date.now,
      })
    },
    supportReport: async () => {
      const known = await knownSettings()
      const managed = await settings.managed().catch(() => [])
      return makeReport({ settings: known, managed, findings: await findings(known) })
    },
  }
}

/** The proxies to the services. */
async function proxiesToServices({
  instances,
  proxyFor,
}: Pick<DiagnosticsOptions, 'instances' | 'proxyFor'>) {
  // A list that can't be read is another finding's.
  const all = (await instances.all().catch(() => [])).map(({ address }) => new URL(address))
  const others = all.filter(({ hostname }) => !isLoopbackHost(hostname))
  // A PAC script, or NO_PROXY, may choose by the address.
  const probed = others.length > 0 ? others : [new URL('https://vpn.example.org/')]
  const found = await Promise.all(probed.map(proxyFor))
  return found.filter((proxy) => proxy !== undefined)
}

/** The connection that has the tunnel, in any process, if it is up. */
async function connected(lock: TunnelLock) {
  const use = await lock.use()
  const connection = use.use === 'held' ? use.holder.connection : undefined
  return connection?.state === 'connected' ? connection : undefined
}
