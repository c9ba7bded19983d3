import type { Reporter } from '../reporter'
import type { RegisterForget } from '../platform/storage/json-file'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InstancePortal } from './instance-portal'
import { createBlockedNetworks } from '../connection/blocked-networks'
import { Connection } from '../connection/connection'
import {
  type ProfileChoices,
  type ServiceFolds,
  type TargetList,
  createProfileChoices,
  createServiceFolds,
  createTargetList,
} from '../connection/profile-list'
import { prepare } from '../connection/prepare'
import { report, toErrorReport } from '../errors'
import type { Transport } from '../platform/http/transport'
import type { ProxyFor } from '../platform/http/proxies'
import { lazy } from './lazy'
import type { TunnelClaim } from '../connection/connection-attempt'
import type { TunnelLock, TunnelOwner } from '../connection/lock/tunnel-lock'
import { type NetworkEvents, joinNetworkEvents } from '../platform/network/network-events'
import { systemNetworkEvents } from '../platform/network/system-network-events'
import type { Instance } from '../portal/instance/instance'
import type { Portal } from '../portal/portal'
import type { InstanceList } from '../portal/instance/instance-list'
import type { HelperSlice } from '../../contract/state'
import { isDnsLeft } from '../privilege/dns-left'
import { helperHere } from '../privilege/helper-files'
import { type KillSwitchHere, killSwitchHere } from '../privilege/kill-switch'
import { TrafficBlock } from '../privilege/traffic-block'
import type { SettingsStore } from '../platform/settings/settings-store'
import { createAppsDivider } from './divide-apps'
import { lazyTunnelBackend } from './tunnel-backend'
import { createTunnelProxy } from './tunnel-proxy'
import type { Privilege } from '../privilege/privilege'
import { endOrphans } from '../tunnel/openvpn/orphans'
import type { TunnelBackend } from '../tunnel/tunnel'

/** The tunnel, with its history, lock and kill switch. */
export interface TunnelServices {
  readonly connection: Connection
  /** The profiles that were connected, not those that were tried or only checked. */
  readonly lastConnections: TargetList
  readonly starredProfiles: TargetList
  readonly serviceFolds: ServiceFolds
  readonly profileChoices: ProfileChoices
  /** The tunnel lock that all processes with the same data directory share. */
  readonly tunnel: TunnelLock
  /** Returns the configuration that connecting to the profile would use, without secrets. */
  describeTunnel(
    instance: Instance,
    profileId: string,
    options: { readonly login: 'allowed' | 'never'; readonly signal: AbortSignal },
  ): Promise<string>
  /** Lifts the kill switch, also one left by another run. Throws `helper/*`. */
  releaseTraffic(): Promise<'released' | 'none'>
  readonly helper: {
    here(): Promise<HelperSlice>
    /** Installs it; the system asks. Throws `helper/not-installed`. */
    install(): Promise<void>
  }
  readonly killSwitch: {
    /** Returns whether the kill switch is available on this computer. */
    here(): Promise<KillSwitchHere>
    /** Returns true if it blocks this user's traffic, as far as the last `check` saw. */
    blocks(): boolean
    /** Asks the system if it blocks this user's traffic. */
    check(): Promise<boolean>
    /** Subscribes to possible changes of `blocks`, also by other processes; returns a function that unsubscribes. */
    watch(onChange: () => void): () => void
  }
}

export interface TunnelServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly lock: TunnelLock
  readonly instances: InstanceList
  readonly settings: SettingsStore
  readonly accessTo: (instance: Instance) => InstancePortal
  /** Returns the path of OpenVPN, if one is set. */
  readonly openVpnPath: () => Promise<string | undefined>
  /** Returns the proxy for a URL. */
  readonly proxyFor: ProxyFor
  readonly getTransport: () => Promise<Pick<Transport, 'requireReachable'>>
  /** Another source of network and sleep events, besides the system. */
  readonly networkEvents?: NetworkEvents
  /** For tests: what tells if the kill switch blocks traffic. */
  readonly trafficBlock?: TrafficBlock
  /** For tests: runs the tunnels. */
  readonly tunnels?: TunnelBackend
  readonly reporter: Reporter
  readonly registerForget: RegisterForget
  readonly now: () => Date
}

/** Creates the tunnel services. `settled` resolves when the last connections are stored. */
export function createTunnelServices(
  options: TunnelServicesOptions,
): TunnelServices & { readonly settled: () => Promise<void> } {
  const { dataDir, lock, instances, settings, accessTo, tunnels, proxyFor, reporter, registerForget, now } =
    options
  const listOptions = { dataDirectory: dataDir, now, reporter, registerForget }
  const lastConnections = createTargetList({ ...listOptions, name: 'last-connections', limit: 20 })
  const starredProfiles = createTargetList({ ...listOptions, name: 'starred-profiles', limit: 200 })
  const profileChoices = createProfileChoices(listOptions)
  const { noteLast, settled } = createNotes(reporter)

  const tunnelProxy = createTunnelProxy({ settings, instances, profileChoices, proxyFor })
  const trafficBlock = options.trafficBlock ?? new TrafficBlock()
  const privilege = lazyPrivilege(settings, trafficBlock, reporter)
  const divideApps = createAppsDivider({
    dataDir,
    settings,
    profileChoices,
    reporter,
    network: systemNetworkEvents(process.platform),
  })
  const getBackend =
    tunnels === undefined
      ? lazyTunnelBackend({ ...options, privilege, trafficBlock, tunnelProxy, divideApps })
      : () => Promise.resolve(tunnels)

  const connection = new Connection({
    claim: (owner) => claimTunnel(owner, lock, privilege),
    accessTo: async (instanceId) => accessTo(await instances.find(instanceId)),
    getBackend,
    preferences: ({ remoteStrategy, preferTcp, reconnect }) =>
      settings.all({ remoteStrategy, preferTcp, reconnect }),
    choiceFor: (target) => tunnelProxy.choiceFor(target),
    blockedNetworks: createBlockedNetworks({ dataDirectory: dataDir, now, reporter }),
    killSwitch: async () => (await settings.all()).killSwitch,
    onMovedToTcp: () => {
      reporter.notice(report('wireguard/moved-to-tcp'))
    },
    onTunnel: (target) => {
      noteLast(lastConnections.put(target))
    },
    network: joinNetworkEvents([
      systemNetworkEvents(process.platform),
      ...(options.networkEvents === undefined ? [] : [options.networkEvents]),
    ]),
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    random: Math.random,
    onDefect: reporter.defect,
    now,
  })
  connection.onChange((state) => {
    if (state.state === 'failed' && state.error.code === 'vpn-api/profile-unavailable')
      noteLast(Promise.all([lastConnections.remove(state.target), starredProfiles.remove(state.target)]))
  })

  return {
    connection,
    lastConnections,
    starredProfiles,
    profileChoices,
    serviceFolds: createServiceFolds(listOptions),
    tunnel: lock,
    releaseTraffic: async () => (await privilege()).release(),
    helper: {
      here: () => helperHere(),
      install: async () => (await import('../privilege/install-helper')).installHelperInWindow(),
    },
    killSwitch: {
      here: () => killSwitchHere({ platform: process.platform }),
      blocks: () => trafficBlock.isOn(),
      check: () => trafficBlock.check(),
      watch: (onChange) => trafficBlock.watch(onChange),
    },
    describeTunnel: createDescribeTunnel({ connection, lock, accessTo, getBackend }),
    settled,
  }
}

/** Returns what stores in the background, and reports errors of it as notices only. */
function createNotes(reporter: Pick<Reporter, 'notice'>) {
  let noted: Promise<void> = Promise.resolve()
  return {
    noteLast: (work: Promise<unknown>): void => {
      const stored = work.catch((error: unknown) => {
        reporter.notice(toErrorReport(error))
      })
      noted = noted.then(async () => {
        await stored
      })
    },
    settled: () => noted,
  }
}

/** Returns the client of the helper. The code is loaded with the first call. */
function lazyPrivilege(
  settings: Pick<SettingsStore, 'all'>,
  trafficBlock: TrafficBlock,
  reporter: Reporter,
): () => Promise<Privilege> {
  return lazy(async () => {
    const { createPrivilege } = await import('../privilege/privilege')
    return createPrivilege({
      trafficBlock,
      killSwitch: async () => (await settings.all()).killSwitch,
      blocksLocal: async () => (await settings.all()).localNetwork === 'block',
      reporter,
    })
  })
}

/** Takes the tunnel for a connection, and cleans up after one that was killed. */
async function claimTunnel(
  owner: TunnelOwner,
  lock: TunnelLock,
  privilege: () => Promise<Privilege>,
): Promise<TunnelClaim> {
  // A killed process leaves its socket, also while this one runs.
  const wasKilled = stat(join(lock.dataDir, 'tunnel.sock')).then(
    () => true,
    () => false,
  )
  const release = await lock.claim(owner)
  try {
    if (await wasKilled) await endOrphans()
    if (await isDnsLeft()) await (await privilege()).repair()
  } catch (error) {
    // Otherwise this process would refuse every further connection, in its own name.
    await release()
    throw error
  }
  return {
    unblock: async () => {
      const { state } = owner
      // A take-over also takes over the kill switch: lifting it in between would let traffic out.
      const takenOver = state.state === 'disconnecting' && state.by?.takesOver === true
      if (!takenOver) await (await privilege()).afterwards(state.state === 'disconnecting')
    },
    release,
  }
}

function createDescribeTunnel({
  connection,
  lock,
  accessTo,
  getBackend,
}: {
  readonly connection: Connection
  readonly lock: TunnelLock
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly getBackend: () => Promise<TunnelBackend>
}): TunnelServices['describeTunnel'] {
  return async (instance, profileId, { login, signal }) => {
    const wanted = await connection.wantedFor({ instanceId: instance.id, profileId })
    let portal: Portal | undefined
    let release: (() => Promise<void>) | undefined
    try {
      const grant = await prepare(accessTo(instance), profileId, wanted, {
        login,
        signal,
        onStep: () => undefined,
        onPortal: async (opened) => {
          // A new configuration would take the place of one in use, so nothing may connect meanwhile. After a login,
          // the portal is opened again.
          if (opened.disconnect !== undefined) release ??= await lock.claimBeside(instance.id, connection)
          portal = opened
        },
      })
      const backend = await getBackend()
      return await backend.describe(grant.tunnel, { mode: 'full', preferTcp: wanted.preferTcp })
    } finally {
      await portal?.disconnect?.()
      await release?.()
    }
  }
}
