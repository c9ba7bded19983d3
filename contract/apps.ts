import { z } from 'zod'

/** The most apps of a list, and of a state. */
export const maxApps = 100

/** An app: the ID of its desktop entry without `.desktop`, or the absolute path of a program. */
const app = String.raw`(?:[\p{L}\p{N}_][^\p{Cc},/]{0,200}|/[^\p{Cc},]{1,1000})`
export const appId = z.string().regex(new RegExp(`^${app}$`, 'u'))
/** Several, with commas between them. */
export const appList = z
  .string()
  .max(4096)
  .regex(new RegExp(`^${app}(?:,${app}){0,${maxApps - 1}}$`, 'u'))

/** Returns the apps of a setting. */
export function appsOf(setting: string): readonly string[] {
  return setting.split(',').filter(Boolean)
}

const names = z
  .array(z.string().max(1100))
  .max(2 * maxApps)
  .readonly()

/**
 * Why an app isn't on its side: more run than the helper takes; systemd manages its processes, or their control group has limits, which it
 * may not leave; it isn't the user's alone, or has more rights; or something failed, of which the helper's log says more.
 */
export const moveFailures = ['full', 'managed', 'limited', 'refused', 'failed'] as const
export type MoveFailure = (typeof moveFailures)[number]

/** How a tunnel that is up divides the apps; absent where all use it. */
export const appsSplit = z.object({
  mode: z.enum(['except', 'only']),
  /** The apps that don't use the tunnel; with `only`, all the others don't. */
  outside: names,
  /** The apps that use it, if nothing else does. */
  inside: names,
  /** Those of them that run. */
  running: names,
  /** The apps that couldn't be moved to their side, or back, and why. */
  failed: z
    .array(z.object({ app: z.string().max(1100), why: z.enum(moveFailures) }))
    .max(2 * maxApps)
    .readonly()
    .optional(),
})
export type AppsSplit = Readonly<z.infer<typeof appsSplit>>

/** Whether apps can be divided on this computer, or the missing part. */
const appsHere = z.enum([
  'available',
  // Those that run when the connection begins: without systemd, nobody tells of later ones.
  'running-only',
  'not-on-this-system',
  'no-helper',
  'no-cgroups',
  'no-nft',
  'no-manager',
])
export type AppsHere = z.infer<typeof appsHere>

/** An installed app, or one in the list, with its name in the language of the app. */
const listedApp = z.object({
  id: z.string().max(1100),
  name: z.string().max(1100),
  listed: z.boolean(),
  /** It has a desktop entry. */
  installed: z.boolean(),
  /** It can be opened without a terminal. */
  canOpen: z.literal(true).optional(),
})
export type ListedApp = Readonly<z.infer<typeof listedApp>>

export const appsCommands = {
  listApps: {
    input: z.void(),
    output: z.object({
      here: appsHere,
      apps: z.array(listedApp),
      /** Apps outside could ask the network's DNS servers. */
      networkNames: z.boolean(),
    }),
  },
  /** Puts an installed app into the list, or takes any out. */
  setApp: { input: z.object({ app: appId, listed: z.boolean() }), output: z.void() },
  /** Returns its icon as a `data:` URL, if it has one. */
  appIcon: { input: z.object({ app: appId }), output: z.object({ url: z.string().optional() }) },
  /** Puts a program into the list that the user chooses in a system dialog. */
  addAppByFile: { input: z.void(), output: z.void() },
  /** Starts an installed app on the other side than the rest, once. */
  openApart: { input: z.object({ app: appId }), output: z.void() },
} as const
