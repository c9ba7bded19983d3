import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { toErrorReport } from '../errors'
import { createJsonFile, type RegisterForget, type StoredOptions } from '../platform/storage/json-file'
import type { SystemMessage } from './portal'

/** The maximum number of remembered messages per instance. Older ones count as read and are not reported as new. */
const maxKept = 1000

const readStates = z.record(
  z.string(),
  z
    .array(z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), read: z.boolean() }))
    .max(maxKept)
    .readonly(),
)

/** The system messages that were received and read, kept over restarts. */
export interface UnreadMessages {
  /** Records the current messages of an instance; returns the new ones. Never rejects. */
  see(instanceId: string, messages: readonly SystemMessage[]): Promise<readonly SystemMessage[]>
  /** Returns whether a received message is unread. */
  isUnread(instanceId: string, message: SystemMessage): boolean
  /** Marks messages as read, by `messageId`. Never rejects. */
  markRead(instanceId: string, ids: readonly string[]): Promise<void>
  /** Throws `data/*`. */
  forget(instanceId: string): Promise<void>
}

const ids = new WeakMap<SystemMessage, string>()

/** Returns an id that doesn't depend on the order of languages and doesn't reveal the text. */
export function messageId(message: SystemMessage): string {
  const id = ids.get(message) ?? digest(message)
  ids.set(message, id)
  return id
}

function digest({ dateTime, type, message }: SystemMessage): string {
  const texts = typeof message === 'string' ? message : Object.entries(message).sort()
  return createHash('sha256')
    .update(JSON.stringify([dateTime.getTime(), type, texts]))
    .digest('hex')
    .slice(0, 32)
}

/** Stores the state in `messages-read.json` of the data directory, without texts of messages. */
export function createUnreadMessages(
  options: StoredOptions & { readonly registerForget: RegisterForget },
): UnreadMessages {
  const { dataDirectory, registerForget, ...rest } = options
  const file = createJsonFile<z.infer<typeof readStates>>({
    ...rest,
    path: join(dataDirectory, 'messages-read.json'),
    schema: readStates,
    version: 1,
    empty: {},
  })
  /** The ids by instance, oldest first, each with true if it was read. */
  const idsOf = new Map<string, Map<string, boolean>>()
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      for (const [instanceId, entries] of Object.entries(await file.read()))
        idsOf.set(instanceId, new Map(entries.map(({ id, read }) => [id, read])))
    } catch (error) {
      options.reporter?.notice(toErrorReport(error))
    }
  }

  async function remember(instanceId: string): Promise<void> {
    const entries = [...(idsOf.get(instanceId) ?? [])].map(([id, read]) => ({ id, read }))
    try {
      await file.update((all) => ({ ...all, [instanceId]: entries }))
    } catch (error) {
      options.reporter?.notice(toErrorReport(error))
    }
  }

  async function forget(instanceId: string): Promise<void> {
    idsOf.delete(instanceId)
    // Every sign-in forgets what an earlier person read.
    if (!(instanceId in (await file.read()))) return
    await file.update((all) =>
      Object.fromEntries(Object.entries(all).filter(([each]) => each !== instanceId)),
    )
  }
  registerForget(forget)

  return {
    see: async (instanceId, messages) => {
      await (loading ??= load())
      const before = idsOf.get(instanceId)
      const newest = [...messages]
        .sort((one, other) => other.dateTime.getTime() - one.dateTime.getTime())
        .slice(0, maxKept)
      const fresh = newest.filter((message) => before?.has(messageId(message)) !== true)
      if (before !== undefined && fresh.length === 0) return []
      const current = new Set(newest.map(messageId))
      const entries = [
        // Messages that the instance no longer shows are kept, so that they are not new when it shows them again.
        ...[...(before ?? [])].filter(([id]) => !current.has(id)),
        ...[...current].reverse().map((id) => [id, before?.get(id) ?? false] as const),
      ]
      idsOf.set(instanceId, new Map(entries.slice(-maxKept)))
      await remember(instanceId)
      return fresh
    },
    isUnread: (instanceId, message) => idsOf.get(instanceId)?.get(messageId(message)) === false,
    markRead: async (instanceId, idsRead) => {
      const entries = idsOf.get(instanceId)
      const unread = idsRead.filter((id) => entries?.get(id) === false)
      if (unread.length === 0) return
      for (const id of unread) entries?.set(id, true)
      await remember(instanceId)
    },
    forget,
  }
}
