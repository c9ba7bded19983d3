import { z } from 'zod'
import { attachmentsSlices } from './attachments'
import { serviceNames } from './choices'
import { connectionState } from './connection'
import { errorReport } from './error-codes'
import { settingsSchema } from './settings'
import { view } from './views'

/**
 * Everything that crosses between the renderer and main: the slices of state that main sends whenever they change, and the
 * commands with what they take and give (contract/commands.ts). Both sides check against it; nothing else is exposed.
 * No token, key, or configuration has a place here.
 */

/** Something that main fetches: the last good items stay while it loads again or fails. */
function fetched<Item extends z.ZodType>(item: Item) {
  return z.object({
    status: z.enum(['unknown', 'loading', 'loaded', 'failed']),
    items: z.array(item),
    error: errorReport.optional(),
    /** Since when the items are known, where they are not those of now; ms since the epoch. */
    seenAt: z.number().optional(),
  })
}

/** Texts are already resolved for the language of the app. */
export const profileItem = z.object({
  profileId: z.string(),
  displayName: z.string(),
  defaultGateway: z.boolean().optional(),
})
export type ProfileItem = z.infer<typeof profileItem>

export const messageItem = z.object({
  id: z.string(),
  dateTime: z.number(),
  message: z.string(),
  type: z.string(),
  unread: z.literal(true).optional(),
})
export type MessageItem = z.infer<typeof messageItem>

export const instanceSlice = z.object({
  id: z.string(),
  address: z.string(),
  login: z.enum(['unknown', 'signed-out', 'waiting-for-browser', 'signed-in']),
  /** The browser was opened, and is waited for until then; ms since the epoch. */
  browser: z.object({ until: z.number() }).optional(),
  /** The person has logged out here, and not in again. */
  loggedOut: z.literal(true).optional(),
  /** Why the last login or the last reading of the tokens failed. */
  loginError: errorReport.optional(),
  /** When the certificate ends and the login with it, and from when a new one is worth offering; ms since the epoch. */
  ends: z.object({ at: z.number(), renewableFrom: z.number() }).optional(),
  /** Of its profiles, the one that was connected last. */
  lastProfileId: z.string().max(1024).optional(),
  /** A new login is on its way in the place of the old one, which is kept until then. */
  renewing: z.literal(true).optional(),
  /** Which services it offers or has an address for; absent while that is not known. */
  services: z.record(z.enum(serviceNames), z.boolean()).optional(),
  profiles: fetched(profileItem),
  messages: fetched(messageItem),
})
export type InstanceSlice = z.infer<typeof instanceSlice>

/** Whether this computer can have the kill switch, and whether it is up: then nothing goes past the tunnel. */
export const killSwitchSlice = z.object({
  here: z.enum(['available', 'no-helper', 'no-nft', 'not-on-this-system']),
  blocks: z.boolean(),
})
export type KillSwitchSlice = z.infer<typeof killSwitchSlice>

/** main/platform/traffic/traffic-meter.ts; times in milliseconds since the epoch, amounts in bytes, rates in bytes a second. */
export const traffic = z.object({
  at: z.number(),
  totals: z.object({ received: z.number(), sent: z.number() }).optional(),
  points: z.array(z.object({ at: z.number(), down: z.number(), up: z.number() })),
})
export type Traffic = z.infer<typeof traffic>

/** main/app/diagnostics/connection-log.ts. */
export const connectionLogLine = z.object({ number: z.number(), at: z.number(), text: z.string() })
export type ConnectionLogLine = z.infer<typeof connectionLogLine>

/** What main tells of the connection while the window watches it: a reading a second, and the log's lines as they come. */
export const connectionNews = z.object({
  traffic: traffic.optional(),
  log: z.array(connectionLogLine).optional(),
})
export type ConnectionNews = z.infer<typeof connectionNews>

/** contract/locales/languages.ts: the words of the window, and how it writes dates and numbers (`locale`, BCP 47). */
export const wordingSlice = z.object({
  language: z.string(),
  locale: z.string(),
  direction: z.enum(['ltr', 'rtl']),
  texts: z.record(z.string(), z.unknown()),
})

/** The state of main as the renderer may know it, one key a slice. */
export const appState = z.object({
  wording: wordingSlice,
  settings: settingsSchema,
  killSwitch: killSwitchSlice,
  instances: z.array(instanceSlice),
  connection: connectionState,
  /** Where the connection is one of another process of the same person: which. */
  heldBy: z.object({ kind: z.enum(['window', 'terminal']), pid: z.number() }).optional(),
  /** Things that went wrong before the window was there, such as a damaged file that was set aside. */
  notices: z.array(errorReport),
  /** The view that main asks the window to go to, until it says `arrivedAt`. */
  wanted: view.optional(),
  /** Of several instances, the one whose profiles the window shows, as it says with `showsInstance`. */
  shown: z.object({ instanceId: z.string().max(2048).optional() }),
  /** The person is at the window: what it shows now, they see. */
  inFront: z.boolean(),
  ...attachmentsSlices,
})
export type AppState = z.infer<typeof appState>
