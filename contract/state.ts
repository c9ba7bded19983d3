import { z } from 'zod'
import { attachmentsSlices } from './attachments'
import { serviceNames } from './choices'
import { connectionState, profileChoice, target } from './connection'
import { errorReport } from './error-codes'
import { listing } from './organization-list'
import { settingName, settingsSchema } from './settings'
import { updateSlice } from './updates'
import { views } from './views'

/**
 * The state slices that main sends to the renderer whenever they change. Together with the commands (contract/commands.ts)
 * they are all that crosses between the two, and both sides check against them. They hold no token, key or configuration.
 */

/** A list that main fetches. The last good items stay during a reload and after a failure. */
function fetched<Item extends z.ZodType>(item: Item) {
  return z.object({
    status: z.enum(['unknown', 'loading', 'loaded', 'failed']),
    items: z.array(item),
    /** Number of records that are left out because they can't be read; absent if none. */
    unreadable: z.int().positive().optional(),
    error: errorReport.optional(),
    /** The time of the items, if they are out of date; ms since the epoch. */
    cachedAt: z.number().optional(),
  })
}

/** A profile, with texts in the language of the app. */
const profileItem = z.object({
  profileId: z.string(),
  displayName: z.string(),
  defaultGateway: z.boolean().optional(),
  /** It needs a VPN protocol that Causeway doesn't support. */
  notSupported: z.literal(true).optional(),
  /** It isn't supported because it needs WireGuard. */
  needsWireGuard: z.literal(true).optional(),
  /** This computer can run several protocols of it, so that the user can choose. */
  hasChoice: z.literal(true).optional(),
})
export type ProfileItem = z.infer<typeof profileItem>

const messageItem = z.object({
  id: z.string(),
  dateTime: z.number(),
  message: z.string(),
  type: z.string(),
  unread: z.literal(true).optional(),
})
export type MessageItem = z.infer<typeof messageItem>

const instanceSlice = z.object({
  id: z.string(),
  /** The person's own name for it (contract/service-name.ts). */
  name: z.string().optional(),
  address: z.string(),
  login: z.enum(['unknown', 'signed-out', 'waiting-for-browser', 'signed-in']),
  /** The time until which the login waits for the browser; ms since the epoch. */
  browser: z.object({ until: z.number() }).optional(),
  /** The computer's administrator has added it: it can't be removed. */
  managed: z.literal(true).optional(),
  /** The user logged out here and has not logged in again. */
  loggedOut: z.literal(true).optional(),
  /** Somebody has signed in before, also if nobody is signed in now. */
  hasSignedIn: z.literal(true).optional(),
  /** Changes when somebody signs in, or signs out here: what was fetched before may belong to another person. */
  person: z.int().positive().optional(),
  /** The error of the last login or the last read of the tokens. */
  loginError: errorReport.optional(),
  /** The expiry of the certificate and the login, and the time from which to offer a renewal; ms since the epoch. */
  ends: z
    .object({
      at: z.number(),
      renewableFrom: z.number(),
      /** Its API allows no new login beside the connection, so that renewing ends the connection first. */
      endsTunnel: z.literal(true).optional(),
    })
    .optional(),
  /** A renewal is in progress. The old login is kept until it succeeds. */
  renewing: z.literal(true).optional(),
  /** The services that it offers or has an address for; absent while unknown. */
  services: z.record(z.enum(serviceNames), z.boolean()).optional(),
  listing: listing.optional(),
  profiles: fetched(profileItem),
  /** The instance's API has no messages. */
  hasNoMessages: z.literal(true).optional(),
  messages: fetched(messageItem),
})
export type InstanceSlice = z.infer<typeof instanceSlice>

/** Availability of the kill switch, and whether it blocks traffic outside the tunnel now. */
const killSwitchSlice = z.object({
  here: z.enum(['available', 'no-helper', 'no-service', 'no-nft', 'not-on-this-system']),
  blocks: z.boolean(),
})
export type KillSwitchSlice = z.infer<typeof killSwitchSlice>

/** Whether tunnels can be set up with the privileged helper, or it can be installed from the window. */
const helperSlice = z.enum(['usable', 'installable', 'missing'])
export type HelperSlice = z.infer<typeof helperSlice>

/** Readings of main/platform/traffic/traffic-meter.ts; times in ms since the epoch, amounts in bytes, rates in bytes per second. */
const traffic = z.object({
  /** The time of this reading. */
  at: z.number(),
  /** Since the tunnel started; absent if unknown. */
  totals: z.object({ received: z.number(), sent: z.number() }).optional(),
  /** The rates just before `at` in this connection, oldest first; intervals without readings are missing. */
  points: z.array(z.object({ at: z.number(), down: z.number(), up: z.number() })),
})
export type Traffic = z.infer<typeof traffic>

/** A line of OpenVPN's log, as in the log file, with its number in this process, from 1; `at` in ms since the epoch. */
const connectionLogLine = z.object({ number: z.number(), at: z.number(), text: z.string() })
export type ConnectionLogLine = z.infer<typeof connectionLogLine>

/** Data that main sends while the window watches the connection: a traffic reading per second, and new log lines. */
const connectionNews = z.object({
  traffic: traffic.optional(),
  log: z.array(connectionLogLine).optional(),
})
export type ConnectionNews = z.infer<typeof connectionNews>

/** The window's texts (contract/locales/languages.ts), and the locale for dates and numbers (BCP 47). */
const wordingSlice = z.object({
  language: z.string(),
  locale: z.string(),
  direction: z.enum(['ltr', 'rtl']),
  /** JSON of the texts: Electron copies one string to the page faster than a thousand. */
  texts: z.string(),
})

/** The state of main that the renderer may see, one key per slice. */
export const appState = z.object({
  wording: wordingSlice,
  settings: settingsSchema,
  /** The settings that the computer's administrator has set. */
  managedSettings: z.array(settingName),
  killSwitch: killSwitchSlice,
  helper: helperSlice.optional(),
  instances: z.array(instanceSlice),
  connection: connectionState,
  /** The other process of the same user that holds the connection. */
  heldBy: z.object({ kind: z.enum(['window', 'terminal']), pid: z.number() }).optional(),
  /** Errors from before the window opened, such as a damaged file that was moved away. */
  notices: z.array(errorReport),
  /** Tells if there are lists of organizations to search. */
  organizationSearch: z.object({ available: z.boolean() }),
  /** The view that main asks the window to show, until `arrivedAt` confirms it. */
  wanted: z.enum(views).optional(),
  /** The address of a `causeway://add/` link, for a person to look at, until `takeLinkAddress`. */
  linkAddress: z.string().optional(),
  /** The last connected profiles, the newest first, and the starred ones. */
  shortcuts: z.object({
    recent: z.array(target),
    starred: z.array(target),
    /** What the user chose for profiles. */
    choices: z.array(profileChoice).optional(),
    /** The services that the user folded or unfolded; others are folded where there are several. */
    folds: z.array(z.object({ instanceId: z.string(), folded: z.boolean() })).optional(),
  }),
  update: updateSlice,
  /** The window is in front, so the user sees what it shows. */
  inFront: z.boolean(),
  ...attachmentsSlices,
})
export type AppState = z.infer<typeof appState>
