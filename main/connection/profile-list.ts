import { join } from 'node:path'
import { z } from 'zod'
import { type ConnectionTarget, type ProfileChoice, profileChoice, target } from '../../contract/connection'
import { Emitter } from '../emitter'
import { createJsonFile, type RegisterForget, type StoredOptions } from '../platform/storage/json-file'

/** Profiles of instances, kept on disk: the newest first, each once, with what is known of it. */
export interface ProfileList<Entry extends ConnectionTarget> {
  all(): Promise<readonly Entry[]>
  of(target: ConnectionTarget): Promise<Entry | undefined>
  /** Puts a profile at the front. Where the list is full, the oldest one goes. */
  put(entry: Entry): Promise<void>
  /** Takes a profile out, such as one that the instance no longer offers. */
  remove(target: ConnectionTarget): Promise<void>
  removeInstance(instanceId: string): Promise<void>
  /** Calls back with the whole list after each change made here; returns a function that unsubscribes. */
  onChange(listener: (all: readonly Entry[]) => void): () => void
}

export type TargetList = ProfileList<ConnectionTarget>
/** What the user chose for profiles; those for which nothing is chosen are not in it. */
export interface ProfileChoices extends Omit<ProfileList<ProfileChoice>, 'put' | 'remove'> {
  /** Chooses something for a profile; what else was chosen for it stays. */
  choose(choice: ConnectionTarget & Partial<ProfileChoice>): Promise<void>
}

interface ProfileListOptions extends StoredOptions {
  readonly registerForget: RegisterForget
}

/** The services that the person folded or unfolded, each as the profile ''. */
const serviceFold = target.extend({ folded: z.boolean() })
export type ServiceFolds = ProfileList<Readonly<z.infer<typeof serviceFold>>>

export const createServiceFolds = (options: ProfileListOptions): ServiceFolds =>
  createProfileList({ ...options, name: 'folded-services', limit: 200, entry: serviceFold })

export const createTargetList = (
  options: ProfileListOptions & {
    readonly name: 'last-connections' | 'starred-profiles'
    readonly limit: number
  },
): TargetList => createProfileList({ ...options, entry: target })

export function createProfileChoices(options: ProfileListOptions): ProfileChoices {
  const list = createProfileList({ ...options, name: 'profile-choices', limit: 500, entry: profileChoice })
  return {
    ...list,
    choose: (one) =>
      list.update(one, (before) => {
        const choice = { protocol: 'auto', tcpOnly: false, ...before, ...one } as const
        const isDefault = choice.protocol === 'auto' && !choice.tcpOnly && choice.appsMode === undefined
        return isDefault ? undefined : choice
      }),
  }
}

/**
 * Creates a list in `<name>.json` under the data directory, which the app and the terminal command share. All methods throw
 * `data/unreadable` and those that change something `data/unwritable`.
 */
function createProfileList<Entry extends ConnectionTarget>({
  name,
  limit,
  entry,
  dataDirectory,
  registerForget,
  ...rest
}: ProfileListOptions & {
  readonly name: string
  /** The maximum number of profiles to keep. */
  readonly limit: number
  readonly entry: z.ZodType<Entry>
}): ProfileList<Entry> & {
  /** Puts what `by` returns for a profile at the front, or takes the profile out. */
  update(target: ConnectionTarget, by: (before: Entry | undefined) => Entry | undefined): Promise<void>
} {
  const file = createJsonFile<{ readonly connections: readonly Entry[] }>({
    ...rest,
    path: join(dataDirectory, `${name}.json`),
    schema: z.object({ connections: z.array(entry).readonly() }),
    version: 1,
    empty: { connections: [] },
  })
  const changes = new Emitter<readonly Entry[]>(rest.reporter?.defect)

  async function change(by: (all: readonly Entry[]) => readonly Entry[]): Promise<void> {
    const { connections } = await file.read()
    // Most changes change nothing, and need no lock and no write.
    if (JSON.stringify(by(connections)) === JSON.stringify(connections)) return
    const changed = await file.update((stored) => ({ connections: by(stored.connections) }))
    changes.emit(changed.connections)
  }

  const isOf = (one: ConnectionTarget) => (other: ConnectionTarget) =>
    one.instanceId === other.instanceId && one.profileId === other.profileId
  const without = (all: readonly Entry[], one: ConnectionTarget) => all.filter((other) => !isOf(one)(other))
  const removeInstance = (instanceId: string): Promise<void> =>
    change((all) => all.filter((each) => each.instanceId !== instanceId))
  registerForget(removeInstance)
  const update = (one: ConnectionTarget, by: (before: Entry | undefined) => Entry | undefined) =>
    change((all) => {
      const after = by(all.find(isOf(one)))
      // Parsed, because a caller may know more about a profile than is kept.
      return [...(after === undefined ? [] : [entry.parse(after)]), ...without(all, one)].slice(0, limit)
    })

  return {
    all: async () => (await file.read()).connections,
    of: async (one) => (await file.read()).connections.find(isOf(one)),
    put: (one) => update(one, () => one),
    remove: (one) => update(one, () => undefined),
    update,
    removeInstance,
    onChange: (listener) => changes.on(listener),
  }
}
