import { join } from 'node:path'
import { z } from 'zod'
import type { ConnectionTarget } from '../../contract/connection'
import { Emitter } from '../emitter'
import { createJsonFile } from '../platform/storage/json-file'

/** What was connected last, at each instance; not what was tried, and not what was only checked. */
export interface LastConnections {
  /** The newest first, one an instance. */
  all(): Promise<readonly ConnectionTarget[]>
  remember(target: ConnectionTarget): Promise<void>
  /** To be called where the instance no longer offers the profile. */
  forgetProfile(target: ConnectionTarget): Promise<void>
  forgetInstance(instanceId: string): Promise<void>
  /** Calls back with all after each change made here; returns how to stop it. */
  onChange(listener: (all: readonly ConnectionTarget[]) => void): () => void
}

const storedTargets = z.object({
  connections: z.array(z.object({ instanceId: z.string().max(2048), profileId: z.string().max(1024) })),
})

/**
 * The last connections in `last-connections.json` under the data directory, which the app and the terminal command
 * share. All methods throw `data/unreadable` and those that change something `data/unwritable`.
 */
export function createLastConnections(options: {
  readonly dataDirectory: string
  readonly now: () => Date
  /** Told where a damaged last-connections.json was moved to. */
  readonly onDamaged?: (movedTo: string) => void
  /** Called once with what forgets an instance here. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  /** Told of listeners that throw. */
  readonly onDefect?: (error: unknown) => void
}): LastConnections {
  const { dataDirectory, now, onDamaged, onDefect, registerForget } = options
  const file = createJsonFile({
    path: join(dataDirectory, 'last-connections.json'),
    schema: storedTargets,
    version: 1,
    empty: { connections: [] },
    now,
    ...(onDamaged === undefined ? {} : { onDamaged }),
  })
  const changes = new Emitter<readonly ConnectionTarget[]>(onDefect)

  async function change(by: (all: readonly ConnectionTarget[]) => ConnectionTarget[]): Promise<void> {
    const { connections } = await file.read()
    // Most changes change nothing, and need no lock and no write.
    if (JSON.stringify(by(connections)) === JSON.stringify(connections)) return
    const changed = await file.update((stored) => ({ connections: by(stored.connections) }))
    changes.emit(changed.connections)
  }

  const forgetInstance = (instanceId: string): Promise<void> =>
    change((all) => all.filter((each) => each.instanceId !== instanceId))
  registerForget(forgetInstance)

  return {
    all: async () => (await file.read()).connections,
    remember: ({ instanceId, profileId }) =>
      change((all) => [{ instanceId, profileId }, ...all.filter((each) => each.instanceId !== instanceId)]),
    forgetProfile: ({ instanceId, profileId }) =>
      change((all) => all.filter((each) => each.instanceId !== instanceId || each.profileId !== profileId)),
    forgetInstance,
    onChange: (listener) => changes.on(listener),
  }
}
