import type { TunnelLock } from '../connection/lock/tunnel-lock'
import { requireNoOther } from '../connection/renew-session'
import type { SettingsStore } from '../platform/settings/settings-store'
import { type InstanceList, type LoginGuards, createInstanceList } from '../portal/instance/instance-list'
import { createIssuerSenders } from '../portal/instance/issuer-senders'
import { BrowserLogins } from '../portal/oauth/browser-logins'
import { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import type { BaseServices } from './base-services'
import { type InstancePortalOptions, type InstancePortals, createInstancePortals } from './instance-portal'
import { configuredSource } from './organization-services'
import type { ServicesOptions } from './services-options'

/** The instances of this user, and the access to each. */
export interface InstanceServices extends InstancePortals {
  readonly instances: InstanceList & LoginGuards
  /** The organizations of the configured lists. */
  readonly directory: OrganizationDirectory
  readonly browserLogins: BrowserLogins
}

export function createInstanceServices(
  options: ServicesOptions,
  base: BaseServices,
  lock: TunnelLock,
): InstanceServices {
  const { forgets, http, personForgets, policy, settings, stored } = base
  const directory = createDirectory({ ...stored, http }, settings, options.discovery)
  const instances = createInstanceList({ ...stored, policy })
  const browserLogins = new BrowserLogins()
  const issuerSenders = createIssuerSenders(stored)
  const { accessTo, cache } = createInstancePortals({
    ...options,
    browserLogins,
    issuerSenders,
    instances,
    http,
    getTransport: base.getTransport,
    secretStore: base.secretStore,
    directory,
    reporter: base.reporter,
    now: base.now,
    forgetLogin: (instance, replaced) =>
      forgets.forget(instance, {
        which: ['data'],
        ...(replaced && { first: (each) => personForgets.forget(each) }),
      }),
    ...whileUnclaimed(lock),
  })
  forgets.add('secrets', (instance) => accessTo(instance).session.forgetSecrets())
  forgets.add('entry', ({ id }) => instances.remove(id))
  forgets.add('entry', ({ id }) => {
    cache.forget(id)
    return Promise.resolve()
  })
  forgets.add('entry', ({ id }) => issuerSenders.remove(id))
  personForgets.add('data', ({ id }) => instances.forgetIdentity(id))
  return { instances, directory, browserLogins, accessTo, cache }
}

function createDirectory(
  parts: Omit<ConstructorParameters<typeof OrganizationDirectory>[0], 'source'>,
  settings: SettingsStore,
  given: ServicesOptions['discovery'],
): OrganizationDirectory {
  return new OrganizationDirectory({
    ...parts,
    source: async () => {
      const { url, keys } = given ?? {}
      return configuredSource(given, await settings.all({ discovery: url, discoveryKey: keys }))
    },
  })
}

/** Runs work on a login while no process can take the tunnel: the portal couldn't be told any more when that one ends. */
function whileUnclaimed(lock: TunnelLock): Pick<InstancePortalOptions, 'whileUnused' | 'whileDisconnected'> {
  return {
    whileUnused: ({ id }, work) =>
      lock.withoutClaims(async () => {
        await requireNoOther({ tunnel: lock, pid: process.pid, instanceId: id })
        await work()
      }),
    whileDisconnected: ({ id }, work) =>
      lock.withoutClaims(async () => {
        await lock.requireNoneTo(id)
        await work()
      }),
  }
}
