import { z } from 'zod'
import { attachmentsCommands, attachmentsSlices } from './attachments-contract'
import { contentCommands } from './content-contract'
import { doctorCommands } from './doctor-contract'
import { instanceSettingsCommands } from './instance-settings-contract'
import { organizationsCommands } from './organizations-contract'
import { errorReport, type ErrorReport } from './error-report'
import { reconnectReasons } from './reconnect-reasons'
import { view } from './views'

/**
 * Everything that crosses between the renderer and main: the commands with what they take and give, and the slices
 * of state that main sends whenever they change. Both sides check against it; nothing else is exposed. No token,
 * key, or configuration has a place here.
 */

export { errorReport, type ErrorReport }

const remote = z.object({ address: z.string(), port: z.number(), protocol: z.enum(['udp', 'tcp']) })
const target = z.object({ instanceId: z.string().max(2048), profileId: z.string().max(1024) })

/** Another process of the same person that asked for the end of a tunnel; `takesOver`: to have one itself. */
export const disconnectedBy = z.object({
  kind: z.enum(['window', 'terminal']),
  pid: z.number(),
  takesOver: z.boolean(),
})
export type DisconnectedBy = z.infer<typeof disconnectedBy>

/** main/connection/state.ts, with dates as milliseconds since the epoch. */
export const connectionSlice = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.enum(['discovering', 'authorizing', 'preparing']), target }),
  z.object({
    state: z.literal('connecting'),
    target,
    phase: z.enum(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring']),
    remote: remote.optional(),
  }),
  z.object({
    state: z.literal('connected'),
    target,
    addresses: z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }),
    remote,
    cipher: z.string().optional(),
    allTraffic: z.boolean().optional(),
    /** The name of the tunnel's network device. */
    device: z.string().max(256).optional(),
    since: z.number(),
  }),
  z.object({
    state: z.literal('reconnecting'),
    target,
    // Another process of another version may have words of its own.
    reason: z.enum(reconnectReasons).catch('other'),
    attempt: z.number(),
    nextAttemptAt: z.number().optional(),
    waitingForNetwork: z.literal(true).optional(),
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('disconnecting'), target, by: disconnectedBy.optional() }),
  z.object({ state: z.literal('disconnected'), target, by: disconnectedBy.optional() }),
  z.object({ state: z.literal('failed'), target, error: errorReport }),
])
export type ConnectionSlice = z.infer<typeof connectionSlice>

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
  /** Why the last login or the last reading of the tokens failed. */
  loginError: errorReport.optional(),
  /** When the certificate ends and the login with it, and from when a new one is worth offering; ms since the epoch. */
  ends: z.object({ at: z.number(), renewableFrom: z.number() }).optional(),
  /** Of its profiles, the one that was connected last. */
  lastProfileId: z.string().max(1024).optional(),
  /** A new login is on its way in the place of the old one, which is kept until then. */
  renewing: z.literal(true).optional(),
  /** Which services it offers or has an address for; absent while that is not known. */
  services: z
    .object({ attachments: z.boolean(), content: z.boolean(), organizations: z.boolean() })
    .optional(),
  profiles: fetched(profileItem),
  messages: fetched(messageItem),
})
export type InstanceSlice = z.infer<typeof instanceSlice>

/** main/settings/settings.ts. */
export const settingsSlice = z.object({
  language: z.string(),
  theme: z.enum(['system', 'light', 'dark']),
  remoteStrategy: z.literal([0, 1, 2]),
  preferTcp: z.boolean(),
  reconnect: z.boolean(),
  killSwitch: z.boolean(),
  autoConnect: z.boolean(),
  startAtLogin: z.boolean(),
  openvpnPath: z.string(),
  closeToTray: z.boolean(),
  notifications: z.boolean(),
  connectionDetails: z.boolean(),
})
export type SettingsSlice = z.infer<typeof settingsSlice>

/** Whether this computer can have the kill switch, and whether it is up: then nothing goes past the tunnel. */
export const killSwitchSlice = z.object({
  here: z.enum(['available', 'no-helper', 'no-nft', 'not-on-this-system']),
  blocks: z.boolean(),
})
export type KillSwitchSlice = z.infer<typeof killSwitchSlice>

/** main/traffic/traffic-meter.ts; times in milliseconds since the epoch, amounts in bytes, rates in bytes a second. */
export const traffic = z.object({
  at: z.number(),
  totals: z.object({ received: z.number(), sent: z.number() }).optional(),
  points: z.array(z.object({ at: z.number(), down: z.number(), up: z.number() })),
})
export type Traffic = z.infer<typeof traffic>

/** main/log/connection-log.ts. */
export const connectionLogLine = z.object({ number: z.number(), at: z.number(), text: z.string() })
export type ConnectionLogLine = z.infer<typeof connectionLogLine>

/** renderer/i18n/languages.ts: the words of the window, and how it writes dates and numbers (`locale`, BCP 47). */
export const wordingSlice = z.object({
  language: z.string(),
  locale: z.string(),
  direction: z.enum(['ltr', 'rtl']),
  texts: z.record(z.string(), z.unknown()),
})

/** The state of main as the renderer may know it, one key a slice. */
export const appState = z.object({
  wording: wordingSlice,
  settings: settingsSlice,
  killSwitch: killSwitchSlice,
  instances: z.array(instanceSlice),
  connection: connectionSlice,
  /** Where the connection is one of another process of the same person: which. */
  heldBy: z.object({ kind: z.enum(['window', 'terminal']), pid: z.number() }).optional(),
  /** Things that went wrong before the window was there, such as a damaged file that was set aside. */
  notices: z.array(errorReport),
  /** The view that main asks the window to go to, until it says `arrivedAt`. */
  wanted: view.optional(),
  /** The person is at the window: what it shows now, they see. */
  inFront: z.boolean(),
  ...attachmentsSlices,
})
export type AppState = z.infer<typeof appState>

const instance = z.object({ instanceId: z.string().max(2048) })
const nothing = z.void()

export const commands = {
  addInstance: { input: z.object({ address: z.string().max(2048) }), output: instance },
  removeInstance: { input: instance, output: nothing },
  /** Ends when the browser has come back, or with `oauth/cancelled`. */
  logIn: { input: instance, output: nothing },
  cancelLogIn: { input: instance, output: nothing },
  logOut: { input: instance, output: nothing },
  /** A new login and certificate in the place of those that end; connects again where it was connected. */
  renewSession: {
    /** `takeOver`: ends the tunnel that another process has to it first, and has it here afterwards. */
    input: instance.extend({ takeOver: z.boolean().optional() }),
    output: nothing,
  },
  refreshProfiles: { input: instance, output: nothing },
  refreshMessages: { input: instance, output: nothing },
  /** The person has read these messages. */
  markMessagesRead: {
    input: instance.extend({ ids: z.array(z.string().max(64)).max(1000) }),
    output: nothing,
  },
  /** Ends when connected, failed or disconnected; progress is in the connection slice. */
  connect: {
    /** `takeOver`: ends the tunnel of another process first. */
    input: target.extend({ takeOver: z.boolean().optional() }),
    output: nothing,
  },
  /** Ends the connection that is shown, also one of another process. */
  disconnect: { input: nothing, output: nothing },
  /** While reconnecting: makes the next attempt now. */
  retryNow: { input: nothing, output: nothing },
  /** Lets traffic go out without a tunnel again, which the kill switch blocks. */
  releaseTraffic: { input: nothing, output: nothing },
  /** Looks whether the kill switch can be had by now. */
  refreshKillSwitch: { input: nothing, output: nothing },
  setSetting: { input: z.object({ name: z.string().max(64), value: z.string().max(4096) }), output: nothing },
  /** Has the person choose a program; nothing where they change their mind. */
  chooseOpenVpn: { input: nothing, output: z.object({ path: z.string().optional() }) },
  /** Puts the report for support into the clipboard; its text stays in main. */
  copySupportReport: { input: nothing, output: nothing },
  /** Puts what the window shows into the clipboard. */
  copyText: { input: z.object({ text: z.string().max(4096) }), output: nothing },
  /** Looks at the counters of the tunnel's device: to be asked once a second, while somebody sees the answer. */
  readTraffic: { input: nothing, output: traffic },
  /** The lines of OpenVPN's log after the one of this number, without secrets; to be asked as `readTraffic`. */
  readConnectionLog: { input: z.object({ after: z.number() }), output: z.array(connectionLogLine) },
  dismissNotices: { input: nothing, output: nothing },
  /** The window shows the view that was `wanted`. */
  arrivedAt: { input: z.object({ view }), output: nothing },
  ...attachmentsCommands,
  ...contentCommands,
  ...organizationsCommands,
  ...instanceSettingsCommands,
  ...doctorCommands,
} as const

export type CommandName = keyof typeof commands
export type CommandInput<Name extends CommandName> = z.infer<(typeof commands)[Name]['input']>
export type CommandOutput<Name extends CommandName> = z.infer<(typeof commands)[Name]['output']>

export type CommandResult<Name extends CommandName> =
  | { readonly ok: true; readonly value: CommandOutput<Name> }
  | { readonly ok: false; readonly error: ErrorReport }

/**
 * What the preload script puts at `window.causeway`: it only forwards. Main checks what comes in and the renderer
 * what comes out (renderer/store/bridge.ts), so that the script itself needs no library.
 */
export interface UncheckedBridge {
  run(name: string, input: unknown): Promise<unknown>
  /** Tells main where files are that the person has dropped on the window. The page itself never learns it. */
  offerFiles(files: readonly File[]): Promise<unknown>
  state(): Promise<unknown>
  onStateChanged(listener: (changed: unknown) => void): () => void
}

/** The same with its types, after the checks. */
export interface Bridge {
  run<Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<CommandResult<Name>>
  /** As `chooseFiles`, for files that the person has dropped on the window. */
  offerFiles(files: readonly File[]): Promise<CommandResult<'chooseFiles'>>
  state(): Promise<AppState>
  /** Calls back with the slices that changed; returns how to stop it. */
  onStateChanged(listener: (changed: Partial<AppState>) => void): () => void
}
