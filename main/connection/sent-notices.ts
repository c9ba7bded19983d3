import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../platform/storage/json-file'
import { noticeHours, type NoticeHours } from './notice-due'

/** The notices that were sent, so that a restart doesn't repeat them. */
export interface SentNotices {
  /** Records a notice; returns false if this one or a later one was recorded for the same end. Throws `data/*`. */
  record(instanceId: string, notice: { readonly endsAt: Date; readonly hours: NoticeHours }): Promise<boolean>
}

const sentSchema = z.record(z.string(), z.object({ endsAt: z.number(), hours: z.literal(noticeHours) }))

const kinds = ['window', 'terminal'] as const
type Kind = (typeof kinds)[number]

/** Longer than any login lasts. */
const keptForMs = 400 * 24 * 60 * 60_000

/**
 * Stores sent notices in `expiry-notices.json` in the data directory, separately for window and terminal: a user of one may
 * not see the other.
 */
export function createSentNotices(options: {
  readonly dataDirectory: string
  readonly kind: Kind
  readonly now: () => Date
  readonly onDamaged?: (movedTo: string) => void
  /** Called once with a function that forgets an instance. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
}): SentNotices {
  const { dataDirectory, kind, registerForget, ...rest } = options
  const file = createJsonFile({
    ...rest,
    path: join(dataDirectory, 'expiry-notices.json'),
    schema: sentSchema,
    version: 1,
    empty: {},
  })
  registerForget(async (instanceId) => {
    const isOf = (key: string) => kinds.some((each) => key === keyOf(each, instanceId))
    if (!Object.keys(await file.read()).some(isOf)) return
    await file.update((sent) => Object.fromEntries(Object.entries(sent).filter(([key]) => !isOf(key))))
  })
  return {
    record: async (instanceId, { endsAt, hours }) => {
      const key = keyOf(kind, instanceId)
      const isNew = (sent: z.infer<typeof sentSchema>) => {
        const last = sent[key]
        return last?.endsAt !== endsAt.getTime() || last.hours > hours
      }
      if (!isNew(await file.read())) return false
      let news = false
      await file.update((sent) => {
        news = isNew(sent)
        const forgotten = options.now().getTime() - keptForMs
        const kept = Object.entries(sent).filter(([, { endsAt: end }]) => end > forgotten)
        const own = news ? { [key]: { endsAt: endsAt.getTime(), hours } } : {}
        return { ...Object.fromEntries(kept), ...own }
      })
      return news
    },
  }
}

function keyOf(kind: Kind, instanceId: string): string {
  return `${kind} ${instanceId}`
}
