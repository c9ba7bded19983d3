import { join } from 'node:path'
import { z } from 'zod'
import { serviceNames, serviceRoles } from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { Emitter } from '../../emitter'
import { CausewayError, hasCode } from '../../errors'
import { createJsonFile } from '../../platform/storage/json-file'
import { parseAddress } from './address'
import type { Instance } from './instance'
import { changedSettings, parseClientId } from './service-settings'

export interface InstanceList {
  all(): Promise<Instance[]>
  /**
   * Adds an instance by what a person typed, or finds the one already there; a client id that is given takes the
   * place of its old one. Throws `discovery/invalid-address`, `usage/invalid-argument` (the client id).
   */
  add(entry: { readonly address: string; readonly clientId?: string }): Promise<Instance>
  /**
   * Changes what the user sets of an instance, and returns it as it is then. Throws `usage/invalid-argument` and
   * `usage/unknown-instance`.
   */
  set(id: string, changes: InstanceChanges): Promise<Instance>
  /** Takes back who the person is to its services, where that was set. */
  forgetIdentity(id: string): Promise<void>
  /** Removes it where it is there. */
  remove(id: string): Promise<void>
  /**
   * The instance with this id or address; undefined means the only one. Throws `usage/unknown-instance` and
   * `usage/instance-needed`, both with `details.ids`.
   */
  find(idOrAddress: string | undefined): Promise<Instance>
  /** Calls back with all instances after each change made here; returns how to stop it. */
  onChange(listener: (instances: Instance[]) => void): () => void
}

const storedInstance = z.object({
  address: z.string().refine(isAddress, 'is not an address'),
  clientId: z.string().exactOptional(),
  services: z.partialRecord(z.enum(serviceNames), z.string()).exactOptional(),
  identity: z
    .object({
      userId: z.string().exactOptional(),
      roles: z.array(z.enum(serviceRoles)).readonly().exactOptional(),
    })
    .exactOptional(),
})
const storedList = z.object({ instances: z.array(storedInstance) })
type StoredInstance = z.infer<typeof storedInstance>

/**
 * The instances that the user has added, in `instances.json` under the data directory. Each call reads the file,
 * because the app and the terminal command share it. Besides what is named at each method, all throw
 * `data/unreadable` and `data/unwritable`.
 */
export function createInstanceList(options: {
  readonly dataDirectory: string
  readonly now: () => Date
  /** Told where a damaged instances.json was moved to. */
  readonly onDamaged?: (movedTo: string) => void
  /** Told of listeners that throw. */
  readonly onDefect?: (error: unknown) => void
}): InstanceList {
  const { dataDirectory, now, onDamaged, onDefect } = options
  const file = createJsonFile({
    path: join(dataDirectory, 'instances.json'),
    schema: storedList,
    version: 1,
    empty: { instances: [] },
    now,
    ...(onDamaged === undefined ? {} : { onDamaged }),
  })
  const changes = new Emitter<Instance[]>(onDefect)

  async function all(): Promise<Instance[]> {
    return (await file.read()).instances.map(toInstance)
  }

  async function change(by: (instances: StoredInstance[]) => StoredInstance[]): Promise<Instance[]> {
    const { instances } = await file.update((stored) => ({ instances: by(stored.instances) }))
    const changed = instances.map(toInstance)
    changes.emit(changed)
    return changed
  }

  return {
    all,
    add: async ({ address, clientId }) => {
      const { id, address: baseAddress } = parseAddress(address)
      const entry = {
        address: baseAddress,
        ...(clientId === undefined ? {} : { clientId: parseClientId(clientId) }),
      }
      const instances = await change((present) => withEntry(present, id, entry))
      return required(instances, id)
    },
    set: async (id, changes) => {
      const instances = await change((present) => {
        const before = required(present.map(toInstance), id)
        const after = { address: before.address, ...changedSettings(before, changes) }
        return present.map((stored) => (toInstance(stored).id === id ? after : stored))
      })
      return required(instances, id)
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
  }
}

function withEntry(present: StoredInstance[], id: string, entry: StoredInstance): StoredInstance[] {
  const at = present.findIndex((stored) => toInstance(stored).id === id)
  if (at === -1) return [...present, entry]
  return present.map((stored, index) => (index === at ? { ...stored, ...entry } : stored))
}

function toInstance({ address, ...settings }: StoredInstance): Instance {
  return { ...parseAddress(address), ...settings }
}

function theOnlyOne(instances: Instance[]): Instance {
  const [first, ...more] = instances
  if (first !== undefined && more.length === 0) return first
  throw new CausewayError(
    'usage/instance-needed',
    first === undefined
      ? 'There are no instances yet. Add one by its address first.'
      : 'There are several instances. Specify which one to use.',
    { details: { ids: idsOf(instances) } },
  )
}

function required(instances: Instance[], idOrAddress: string): Instance {
  const id = idFrom(idOrAddress)
  const found = instances.find((instance) => instance.id === idOrAddress || instance.id === id)
  if (found !== undefined) return found
  throw new CausewayError(
    'usage/unknown-instance',
    "This instance isn't in your list. Choose another one, or add it with its address.",
    { details: { ids: idsOf(instances) } },
  )
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
