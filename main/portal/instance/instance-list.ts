import { join } from 'node:path'
import { z } from 'zod'
import { type Policy, noPolicy } from '../../../contract/policy'
import { type ApiVersion, apiVersions, serviceNames, serviceRoles } from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { Emitter } from '../../emitter'
import { CausewayError, hasCode } from '../../errors'
import { createJsonFile, type StoredOptions } from '../../platform/storage/json-file'
import { parseAddress } from './address'
import type { ChosenOrganization, Instance, Location } from './instance'
import { changedSettings, parseClientId } from './service-settings'

export interface NewInstance {
  readonly address: string
  readonly clientId?: string
  /** The API version to use, instead of the newest that the portal offers. */
  readonly apiVersion?: ApiVersion
  readonly organization?: ChosenOrganization
  /** For an instance that isn't there yet: a dialog asks before the first connection. */
  readonly unconfirmed?: true
}

export interface InstanceList {
  all(): Promise<Instance[]>
  /**
   * Adds an instance by an address that a user typed, or finds the one already there. A client ID or API version that
   * is given replaces the previous one, and so does an organization. Throws `discovery/invalid-address`, `usage/invalid-argument` (the client ID),
   * `settings/managed`, and what `beforeOtherLogin` throws.
   */
  add(entry: NewInstance): Promise<Instance>
  /**
   * Changes the settings of an instance, and returns the changed instance. Throws `usage/invalid-argument`,
   * `usage/unknown-instance`, `settings/managed`, and what `beforeOtherLogin` throws.
   */
  set(id: string, changes: InstanceChanges): Promise<Instance>
  /** Changes the location of an instance that has one. Throws `usage/unknown-instance`. */
  setLocation(id: string, location: Location): Promise<Instance>
  /** Remembers that the user has agreed to connect to the instance, if it is in the list. */
  confirm(id: string): Promise<void>
  /** Remembers that somebody has signed in to the instance, if it is in the list, also after signing out and a restart. */
  markSignedIn(id: string): Promise<void>
  /** Removes the user's identity at its services, if it was set. */
  forgetIdentity(id: string): Promise<void>
  /** Removes the instance, if it is in the list. One that the policy sets stays. */
  remove(id: string): Promise<void>
  /**
   * Returns the instance with this id or address; undefined means the only one. Throws `usage/unknown-instance` and
   * `usage/instance-needed`, both with `details.ids`.
   */
  find(idOrAddress: string | undefined): Promise<Instance>
  /** Calls back with all instances after each change by this object; returns a function that unsubscribes. */
  onChange(listener: (instances: Instance[]) => void): () => void
}

export interface LoginGuards {
  /**
   * Calls `guard` before the client ID or API version of an instance changes, which ends its login. It rejects to prevent the
   * change.
   */
  beforeOtherLogin(guard: (instance: Instance) => Promise<void>): void
}

const address = z.string().refine(isAddress, 'is not an address')
const displayName = z.union([z.string(), z.record(z.string(), z.string())])

const storedOrganization = z.discriminatedUnion('type', [
  z.object({ type: z.literal('institute_access'), displayName }),
  z.object({
    type: z.literal('secure_internet'),
    displayName,
    orgId: z.string(),
    location: z.object({ address, countryCode: z.string().regex(/^[A-Z]{2}$/) }),
  }),
])

const storedInstance = z.object({
  address,
  name: z.string().exactOptional(),
  clientId: z.string().exactOptional(),
  organization: storedOrganization.exactOptional(),
  unconfirmed: z.literal(true).exactOptional(),
  apiVersion: z.literal(apiVersions).exactOptional(),
  services: z.partialRecord(z.enum(serviceNames), z.string()).exactOptional(),
  identity: z
    .object({
      userId: z.string().exactOptional(),
      roles: z.array(z.enum(serviceRoles)).readonly().exactOptional(),
    })
    .exactOptional(),
})
const storedList = z.object({
  instances: z.array(storedInstance),
  /** The ids of instances that somebody has signed in to. Not in the entries, because instances of a policy have none. */
  signedIn: z.array(z.string()).exactOptional(),
})
type StoredList = z.infer<typeof storedList>
type StoredInstance = z.infer<typeof storedInstance>

interface InstanceListOptions extends StoredOptions {
  /** The computer's policy; default: none. */
  readonly policy?: () => Promise<Policy>
}

/**
 * The instances that the user has added, in `instances.json` under the data directory, and those of the computer's
 * policy. Each call reads the file, because the app and the terminal command share it. Besides what is named at each
 * method, all throw `data/unreadable`, `data/unwritable` and `policy/unusable`.
 */
export function createInstanceList(options: InstanceListOptions): InstanceList & LoginGuards {
  const { file, guards, changes, all, change } = listFile(options)
  return {
    all,
    add: async ({ address, clientId, apiVersion, organization, unconfirmed }) => {
      const { id, address: baseAddress } = parseAddress(address)
      const entry = {
        address: baseAddress,
        ...(clientId === undefined ? {} : { clientId: parseClientId(clientId) }),
        ...(organization === undefined ? {} : { organization }),
        ...(apiVersion === undefined ? {} : { apiVersion }),
      }
      const instances = await change((present) => withEntry(present, id, entry, unconfirmed))
      return required(instances, id)
    },
    set: async (id, changes) => {
      const instances = await change((present) => {
        const before = required(present.map(toInstance), id)
        const { address, organization, unconfirmed } = before
        const after = {
          address,
          organization,
          ...(unconfirmed === true && { unconfirmed }),
          ...changedSettings(before, changes),
        }
        return present.map((stored) => (toInstance(stored).id === id ? after : stored))
      })
      return required(instances, id)
    },
    setLocation: async (id, location) => {
      const instances = await change((present) =>
        present.map((stored) =>
          stored.organization?.type === 'secure_internet' && toInstance(stored).id === id
            ? { ...stored, organization: { ...stored.organization, location } }
            : stored,
        ),
      )
      return required(instances, id)
    },
    confirm: async (id) => {
      await change((present) =>
        present.map(({ unconfirmed, ...rest }) =>
          unconfirmed === undefined || toInstance(rest).id === id ? rest : { ...rest, unconfirmed },
        ),
      )
    },
    markSignedIn: async (id) => {
      if ((await file.read()).signedIn?.includes(id) !== true) await change((present) => present, id)
    },
    forgetIdentity: async (id) => {
      const isKnown = ({ identity, ...stored }: StoredInstance) =>
        identity !== undefined && toInstance(stored).id === id
      if (!(await file.read()).instances.some(isKnown)) return
      await change((present) =>
        present.map((stored) => {
          const { identity: _forgotten, ...rest } = stored
          return isKnown(stored) ? rest : stored
        }),
      )
    },
    remove: async (id) => {
      await change((present) => present.filter((stored) => toInstance(stored).id !== id))
    },
    find: async (idOrAddress) => {
      const instances = await all()
      return idOrAddress === undefined ? theOnlyOne(instances) : required(instances, idOrAddress)
    },
    onChange: (listener) => changes.on(listener),
    beforeOtherLogin: (guard) => {
      guards.push(guard)
    },
  }
}

/** The file with the list, and what every change of it has to keep to: the policy, and the guards of logins. */
function listFile(options: InstanceListOptions) {
  const { dataDirectory, now, reporter } = options
  const guards: ((instance: Instance) => Promise<void>)[] = []
  const policy = options.policy ?? (() => Promise.resolve(noPolicy))
  const file = createJsonFile({
    path: join(dataDirectory, 'instances.json'),
    schema: storedList,
    version: 1,
    empty: { instances: [] },
    now,
    reporter,
  })
  const changes = new Emitter<Instance[]>(reporter?.defect)

  async function all(): Promise<Instance[]> {
    const presets = presetsOf(await policy())
    return toInstances(await file.read(), presets)
  }

  /** @param signedIn the id of an instance that somebody has signed in to */
  async function change(
    by: (instances: StoredInstance[]) => StoredInstance[],
    signedIn?: string,
  ): Promise<Instance[]> {
    const presets = presetsOf(await policy())
    if (guards.length > 0) {
      const before = withPresets((await file.read()).instances, presets)
      for (const instance of withOtherLogin(before, by(before)))
        for (const guard of guards) await guard(instance)
    }
    const after = await file.update((stored) => {
      const changed = by(withPresets(stored.instances, presets))
      changed.forEach((entry) => {
        requirePreset(entry, presets)
      })
      const marked = [...(stored.signedIn ?? []), signedIn]
      const ids = changed.map((entry) => toInstance(entry).id).filter((id) => marked.includes(id))
      return {
        instances: usersOwn(changed, stored.instances, presets),
        ...(ids.length > 0 && { signedIn: ids }),
      }
    })
    const changed = toInstances(after, presets)
    changes.emit(changed)
    return changed
  }

  return { file, guards, changes, all, change }
}

type Presets = ReadonlyMap<string, Policy['instances'][number]>

function presetsOf({ instances }: Policy): Presets {
  return new Map(instances.map((preset) => [parseAddress(preset.address).id, preset]))
}

/** Returns the instances that a change gives another client ID or API version, as they are before it. */
function withOtherLogin(before: readonly StoredInstance[], after: readonly StoredInstance[]): Instance[] {
  const changed = new Map(after.map((stored) => [toInstance(stored).id, stored]))
  return before.map(toInstance).filter(({ id, clientId, apiVersion }) => {
    const same = changed.get(id)
    return same !== undefined && (same.clientId !== clientId || same.apiVersion !== apiVersion)
  })
}

/** Adds the instances of the policy that the user hasn't changed yet, and what it sets for the others. */
function withPresets(stored: readonly StoredInstance[], presets: Presets): StoredInstance[] {
  const ids = new Set(stored.map((entry) => toInstance(entry).id))
  const missing = [...presets].filter(([id]) => !ids.has(id))
  return [
    ...stored.map((entry) => ({ ...entry, ...fixed(presets.get(toInstance(entry).id)) })),
    ...missing.map(([, preset]) => ({ address: parseAddress(preset.address).address, ...fixed(preset) })),
  ]
}

/**
 * Returns what to store: without the values and the instances that only the policy sets, so that they end with it. `before`:
 * the stored instances.
 */
function usersOwn(
  changed: readonly StoredInstance[],
  before: readonly StoredInstance[],
  presets: Presets,
): StoredInstance[] {
  return changed.flatMap((entry) => {
    const { id } = toInstance(entry)
    const preset = presets.get(id)
    if (preset === undefined) return [entry]
    const known = before.find((stored) => toInstance(stored).id === id)
    const { clientId: _clientId, apiVersion: _apiVersion, ...rest } = entry
    const own = {
      ...rest,
      ...pick('clientId', fixed(preset).clientId === undefined ? entry : known),
      ...pick('apiVersion', fixed(preset).apiVersion === undefined ? entry : known),
    }
    const { address: _address, ...settings } = own
    return known === undefined && Object.values<unknown>(settings).every((value) => value === undefined)
      ? []
      : [own]
  })
}

function pick<Name extends 'clientId' | 'apiVersion'>(
  name: Name,
  from: StoredInstance | undefined,
): Pick<StoredInstance, Name> | object {
  return from?.[name] === undefined ? {} : { [name]: from[name] }
}

/** The values of a preset that users can't change. */
function fixed({ clientId, apiVersion }: Partial<Policy['instances'][number]> = {}) {
  return {
    ...(clientId === undefined ? {} : { clientId: parseClientId(clientId) }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
  }
}

/** Throws `settings/managed` if the entry has another value than the policy. */
function requirePreset(entry: StoredInstance, presets: Presets): void {
  const { clientId, apiVersion } = fixed(presets.get(toInstance(entry).id))
  if (clientId !== undefined && entry.clientId !== clientId) throw managed('client ID')
  if (apiVersion !== undefined && entry.apiVersion !== apiVersion) throw managed('API version')
}

function managed(name: string): CausewayError {
  return new CausewayError('settings/managed', { details: { name } })
}

function toInstances({ instances, signedIn = [] }: StoredList, presets: Presets): Instance[] {
  return withPresets(instances, presets).map((stored) => {
    const instance = toInstance(stored)
    return {
      ...instance,
      ...(presets.has(instance.id) && { managed: true }),
      ...(signedIn.includes(instance.id) && { hasSignedIn: true }),
    }
  })
}

function withEntry(
  present: StoredInstance[],
  id: string,
  entry: StoredInstance,
  unconfirmed: true | undefined,
): StoredInstance[] {
  const at = present.findIndex((stored) => toInstance(stored).id === id)
  if (at === -1) return [...present, { ...entry, ...(unconfirmed === true && { unconfirmed }) }]
  return present.map((stored, index) => (index === at ? { ...stored, ...entry } : stored))
}

function toInstance({ address, ...settings }: StoredInstance): Instance {
  return { ...parseAddress(address), ...settings }
}

function theOnlyOne(instances: Instance[]): Instance {
  const [first, ...more] = instances
  if (first !== undefined && more.length === 0) return first
  throw new CausewayError('usage/instance-needed', {
    variant: first === undefined ? 'none' : 'several',
    details: { ids: idsOf(instances) },
  })
}

function required(instances: Instance[], idOrAddress: string): Instance {
  const id = idFrom(idOrAddress)
  const found = instances.find((instance) => instance.id === idOrAddress || instance.id === id)
  if (found !== undefined) return found
  throw new CausewayError('usage/unknown-instance', { details: { ids: idsOf(instances) } })
}

function idFrom(text: string): string | undefined {
  try {
    return parseAddress(text).id
  } catch (error) {
    if (hasCode(error, 'discovery/invalid-address')) return undefined
    throw error
  }
}

function isAddress(text: string): boolean {
  return idFrom(text) !== undefined
}

function idsOf(instances: Instance[]): string[] {
  return instances.map((instance) => instance.id)
}
