import { join } from 'node:path'
import { z } from 'zod'
import { type ConnectionTarget, target as targetSchema } from '../../contract/connection'
import { Emitter } from '../emitter'
import { createJsonFile } from '../platform/storage/json-file'

/** Profiles of instances in an order, kept on disk: the newest first, each once. */
export interface TargetList {
  all(): Promise<readonly ConnectionTarget[]>
  /** Puts a profile at the front. Where the list is full, the oldest one goes. */
  put(target: ConnectionTarget): Promise<void>
  /** Takes a profile out, such as one that the instance no longer offers. */
  remove(target: ConnectionTarget): Promise<void>
  removeInstance(instanceId: string): Promise<void>
  /** Calls back with the whole list after each change made here; returns how to stop it. */
  onChange(listener: (all: readonly ConnectionTarget[]) => void): () => void
}

const storedTargets = z.object({ connections: z.array(targetSchema) })

/**
 * A list in `<name>.json` under the data directory, which the app and the terminal command share. All methods throw
 * `data/unreadable` and those that change something `data/unwritable`.
 */
export function createTargetList(options: {
  readonly dataDirectory: string
  readonly name: 'last-connections' | 'starred-profiles'
  /** The most profiles to keep. */
  readonly limit: number
  readonly now: () => Date
  /** Told where a damaged file was moved to. */
  readonly onDamaged?: (movedTo: string) => void
  /** Called once with the function that forgets an instance here. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  /** Told of listeners that throw. */
  readonly onDefect?: (error: unknown) => void
}): TargetList {
  const { dataDirectory, name, limit, now, onDamaged, onDefect, registerForget } = options
  const file = createJsonFile({
    path: join(dataDirectory, `${name}.json`),
    schema: storedTargets,
    version: 1,
    empty: { connections: [] },
    now,
    onDamaged,
  })
  const changes = new Emitter<readonly ConnectionTarget[]>(onDefect)

  async function change(by: (all: readonly ConnectionTarget[]) => ConnectionTarget[]): Promise<void> {
    const { connections } = await file.read()
    // Most changes change nothing, and need no lock and no write.
    if (JSON.stringify(by(connections)) === JSON.stringify(connections)) return
    const changed = await file.update((stored) => ({ connections: by(stored.connections) }))
    changes.emit(changed.connections)
  }

  const without = (all: readonly ConnectionTarget[], { instanceId, profileId }: ConnectionTarget) =>
    all.filter((each) => each.instanceId !== instanceId || each.profileId !== profileId)
  const removeInstance = (instanceId: string): Promise<void> =>
    change((all) => all.filter((each) => each.instanceId !== instanceId))
  registerForget(removeInstance)

  return {
    all: async () => (await file.read()).connections,
    put: ({ instanceId, profileId }) =>
      change((all) =>
        [{ instanceId, profileId }, ...without(all, { instanceId, profileId })].slice(0, limit),
      ),
    remove: (target) => change((all) => without(all, target)),
    removeInstance,
    onChange: (listener) => changes.on(listener),
  }
}
