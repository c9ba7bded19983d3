import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../platform/storage/json-file'
import { noticeHours, type NoticeHours } from './notice-due'

/** Which notices the person has had, so that a restart does not bring them again. */
export interface ToldNotices {
  /** False where this one, or a later one, was told of this end of a login before. Throws `data/*`. */
  tell(instanceId: string, notice: { readonly endsAt: Date; readonly hours: NoticeHours }): Promise<boolean>
}

const toldSchema = z.record(z.string(), z.object({ endsAt: z.number(), hours: z.literal(noticeHours) }))

const kinds = ['window', 'terminal'] as const
type Kind = (typeof kinds)[number]

/** Long after any login of today has ended. */
const keptForMs = 400 * 24 * 60 * 60_000

/**
 * In `expiry-notices.json` of the data directory. Window and terminal each tell (`kind`): who looks at the one does not
 * look at the other.
 */
export function createToldNotices(options: {
  readonly dataDirectory: string
  readonly kind: Kind
  readonly now: () => Date
  readonly onDamaged?: (movedTo: string) => void
  /** Called once with what forgets an instance here. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
}): ToldNotices {
  const { dataDirectory, kind, registerForget, ...rest } = options
  const file = createJsonFile({
    ...rest,
    path: join(dataDirectory, 'expiry-notices.json'),
    schema: toldSchema,
    version: 1,
    empty: {},
  })
  registerForget(async (instanceId) => {
    const isOf = (key: string) => kinds.some((each) => key === keyOf(each, instanceId))
    if (!Object.keys(await file.read()).some(isOf)) return
    await file.update((told) => Object.fromEntries(Object.entries(told).filter(([key]) => !isOf(key))))
  })
  return {
    tell: async (instanceId, { endsAt, hours }) => {
      const key = keyOf(kind, instanceId)
      const isNews = (told: z.infer<typeof toldSchema>) => {
        const last = told[key]
        return last?.endsAt !== endsAt.getTime() || last.hours > hours
      }
      if (!isNews(await file.read())) return false
      let news = false
      await file.update((told) => {
        news = isNews(told)
        const forgotten = options.now().getTime() - keptForMs
        const kept = Object.entries(told).filter(([, { endsAt: end }]) => end > forgotten)
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
