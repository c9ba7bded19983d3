import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorReport } from '../../contract/error-codes'
import type { Access } from './access'
import { Connection } from '../connection/connection'
import { type LastConnections, createLastConnections } from '../connection/last-connections'
import { prepare } from '../connection/prepare'
import { toErrorReport } from '../errors'
import { loadOnce } from './load-once'
import { TunnelLock } from '../connection/lock/tunnel-lock'
import type { HolderKind } from '../connection/lock/tunnel-messages'
import { watchFile } from '../connection/lock/watch-file'
import { linuxNetworkEvents } from '../platform/network/linux-network-events'
import { macosNetworkEvents } from '../platform/network/macos-network-events'
import { type NetworkEvents, joinNetworkEvents } from '../platform/network/network-events'
import { windowsNetworkEvents } from '../platform/network/windows-network-events'
import type { Instance } from '../portal/instance/instance'
import type { InstanceList } from '../portal/instance/instance-list'
import { type KillSwitchHere, killSwitchHere } from '../privilege/kill-switch'
import { TrafficBlock, linuxBootId } from '../privilege/traffic-block'
import type { SettingsStore } from '../platform/settings/settings-store'
import { tunnelBackends } from '../tunnel/tunnel-backends'

/** The one tunnel, with what is remembered of it and what it does to the traffic of this computer. */
export interface TunnelServices {
  readonly connection: Connection
  readonly lastConnections: LastConnections
  /** The one tunnel that this process shares with others of the same data directory: who has it. */
  readonly tunnel: TunnelLock
  /** The configuration that connecting to the profile would use, without its secrets. */
  describeTunnel(
    instance: Instance,
    profileId: string,
    options: { readonly login: 'allowed' | 'never'; readonly signal: AbortSignal },
  ): Promise<string>
  /** Lifts the kill switch, also one that another run left. Throws `helper/*`. */
  releaseTraffic(): Promise<'released' | 'none'>
  readonly killSwitch: {
    /** Whether there can be one on this computer. */
    here(): Promise<KillSwitchHere>
    /** Whether one of this data directory's processes has put it up and none has lifted it. */
    blocks(): boolean
    /** Calls back when that may have changed, also by another process; returns how to stop it. */
    watch(onChange: () => void): () => void
  }
}

export interface TunnelServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly kind: HolderKind
  readonly instances: InstanceList
  readonly settings: SettingsStore
  readonly accessTo: (instance: Instance) => Access
  /** The program of OpenVPN that somebody has chosen. */
  readonly openVpnPath: () => Promise<string | undefined>
  /** Who else knows of changes of the network and of sleep; the system itself is asked too. */
  readonly networkEvents?: NetworkEvents
  readonly onNotice: (notice: ErrorReport) => void
  readonly onDamaged: (movedTo: string) => void
  /** Called once with what forgets an instance in a store. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  /** Told of listeners that throw. */
  readonly onDefect: (error: unknown) => void
  readonly now: () => Date
}

/** `settled` resolves when everything is written that was to be remembered. */
export function createTunnelServices(
  options: TunnelServicesOptions,
): TunnelServices & { readonly settled: () => Promise<void> } {
  const {
    dataDir,
    kind,
    instances,
    settings,
    accessTo,
    openVpnPath,
    onNotice,
    onDamaged,
    registerForget,
    onDefect,
    now,
  } = options
  const lastConnections = createLastConnections({
    dataDirectory: dataDir,
    now,
    onDamaged,
    registerForget,
    onDefect,
  })

  const trafficBlockPath = join(dataDir, 'traffic-block')
  const trafficBlock = new TrafficBlock({ path: trafficBlockPath, bootId: linuxBootId })
  const privilege = loadOnce(async () => {
    const { createPrivilege } = await import('../privilege/privilege')
    return createPrivilege({
      trafficBlock,
      killSwitch: async () => (await settings.all()).killSwitch,
      onNotice,
    })
  })
  const backend = tunnelBackends({
    openvpn: loadOnce(async () => {
      const { createOpenVpnBackend } = await import('../tunnel/openvpn/openvpn-backend')
      return createOpenVpnBackend({
        privilege: await privilege(),
        openVpnPath,
        tunnelFolder: join(dataDir, 'tunnel'),
        onNotice,
      })
    }),
  })

  const connection: Connection = new Connection({
    claim: async () => {
      const giveBack = await tunnel.claim()
      return async () => {
        const { state } = connection
        // Who takes the tunnel over takes the kill switch over: to lift it in between would let traffic out.
        const takenOver = state.state === 'disconnecting' && state.by?.takesOver === true
        if (!takenOver) await (await privilege()).afterwards(state.state === 'disconnecting')
        await giveBack()
      }
    },
    accessTo: async (instanceId) => accessTo(await instances.find(instanceId)),
    backend,
    preferences: () => settings.all(),
    onTunnel: (target) => {
      noteLast(lastConnections.remember(target))
    },
    network: joinNetworkEvents([
      ...(process.platform === 'linux' ? [linuxNetworkEvents()] : []),
      ...(process.platform === 'darwin' ? [macosNetworkEvents()] : []),
      ...(process.platform === 'win32' ? [windowsNetworkEvents()] : []),
      ...(options.networkEvents === undefined ? [] : [options.networkEvents]),
    ]),
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    random: Math.random,
    onDefect,
    now,
  })

  const tunnel = new TunnelLock({
    dataDir,
    kind,
    now,
    connection: () => connection.state,
    onAskedToDisconnect: (by) => void connection.disconnect(by),
  })
  connection.onChange(() => {
    tunnel.changed()
  })

  let noted: Promise<void> = Promise.resolve()
  /** What cannot be remembered is no reason not to be connected. */
  const noteLast = (work: Promise<void>): void => {
    const told = work.catch((error: unknown) => {
      onNotice(toErrorReport(error))
    })
    noted = noted.then(() => told)
  }
  connection.onChange((state) => {
    if (state.state === 'failed' && state.error.code === 'vpn-api/profile-unavailable')
      noteLast(lastConnections.forgetProfile(state.target))
  })

  return {
    connection,
    lastConnections,
    tunnel,
    releaseTraffic: async () => (await privilege()).release(),
    killSwitch: {
      here: () => killSwitchHere({ platform: process.platform }),
      blocks: () => trafficBlock.isOn(),
      watch: (onChange) => {
        const stops = [trafficBlock.onChange(onChange), watchFile(trafficBlockPath, onChange)]
        return () => {
          for (const stop of stops) stop?.()
        }
      },
    },
    describeTunnel: async (instance, profileId, { login, signal }) => {
      const { remoteStrategy, preferTcp } = await settings.all()
      const { grant } = await prepare(
        accessTo(instance),
        profileId,
        { remoteStrategy },
        { login, signal },
        () => undefined,
      )
      return backend.describe(grant.tunnel, { mode: 'full', preferTcp })
    },
    settled: () => noted,
  }
}
