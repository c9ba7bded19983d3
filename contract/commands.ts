import { z } from 'zod'
import { attachmentsCommands } from './attachments'
import { instance, profileChoice, target } from './connection'
import { contentCommands } from './news'
import { doctorCommands } from './doctor'
import type { ErrorReport } from './error-codes'
import { instanceSettingsCommands } from './instance-settings'
import { organizationListCommands } from './organization-list'
import { organizationsCommands } from './organizations'
import { windowSetting } from './settings'
import { updatesCommands } from './updates'
import { views } from './views'

/** Schemas of all commands. They are kept apart from the state because the page draws before it runs any command. */

const nothing = z.void()

export const commands = {
  addInstance: { input: z.object({ address: z.string().max(2048) }), output: instance },
  removeInstance: { input: instance, output: nothing },
  /** Resolves when the browser returns; fails with `oauth/cancelled`. */
  logIn: { input: instance, output: nothing },
  cancelLogIn: { input: instance, output: nothing },
  /** Opens the browser again for a login in progress. */
  openLogInAgain: { input: instance, output: nothing },
  /** Copies the login URL for use in another browser. The URL stays in main. */
  copyLogInLink: { input: instance, output: nothing },
  logOut: { input: instance, output: nothing },
  /** Replaces the login and certificate with new ones; reconnects if connected before. */
  renewSession: {
    /**
     * `takeOver`: ends another process's tunnel to the instance first, and connects here afterwards. `profileId`: connects to
     * this profile afterwards, also without a connection before.
     */
    input: target.partial({ profileId: true }).extend({ takeOver: z.boolean().optional() }),
    output: nothing,
  },
  refreshProfiles: { input: instance, output: nothing },
  refreshMessages: { input: instance, output: nothing },
  /** Marks these messages as read. */
  markMessagesRead: {
    input: instance.extend({ ids: z.array(z.string().max(64)).max(1000) }),
    output: nothing,
  },
  /** Resolves when connected, failed or disconnected; the connection slice shows the progress. */
  connect: {
    /** `takeOver`: ends the tunnel of another process first. `preferTcp`: this time, whatever the setting says. */
    input: target.extend({ takeOver: z.boolean().optional(), preferTcp: z.boolean().optional() }),
    output: nothing,
  },
  /** Ends the current connection, also if another process holds it. */
  disconnect: { input: nothing, output: nothing },
  /** While reconnecting: makes the next attempt now. While no traffic passes: tries another server. */
  retryNow: { input: nothing, output: nothing },
  /** Unblocks the traffic that the kill switch blocks while there is no tunnel. */
  releaseTraffic: { input: nothing, output: nothing },
  /** Checks again whether the kill switch is available. */
  refreshKillSwitch: { input: nothing, output: nothing },
  setSetting: { input: z.object({ name: windowSetting, value: z.string().max(4096) }), output: nothing },
  /**
   * Sets the OpenVPN program: `dialog` asks the user in a system dialog and changes nothing if they cancel it, `detection`
   * returns to automatic detection.
   */
  setOpenVpn: { input: z.object({ by: z.enum(['dialog', 'detection']) }), output: nothing },
  /** Installs the privileged helper where the slice `helper` says `installable`. The system asks for permission. */
  installHelper: { input: nothing, output: nothing },
  /** Copies the support report to the clipboard. Its text stays in main. */
  copySupportReport: { input: nothing, output: nothing },
  /** Copies a text that the window shows to the clipboard. */
  copyText: { input: z.object({ text: z.string().max(4096) }), output: nothing },
  /** Starts or stops traffic readings, which main takes only while the window shows them. */
  watchTraffic: { input: z.object({ wanted: z.boolean() }), output: nothing },
  /** Starts sending the log lines after number `after`, without secrets; without `after`, stops. */
  watchConnectionLog: { input: z.object({ after: z.number().optional() }), output: nothing },
  /** Logs a defect of the page, without the error's message, which could hold anything. */
  reportDefect: {
    input: z.object({ kind: z.string().max(64), at: z.array(z.string().max(300)).max(5) }),
    output: nothing,
  },
  /** Returns the licences of the software in the package; none for a Causeway that runs from its sources. */
  readLicenses: { input: nothing, output: z.object({ text: z.string().optional() }) },
  dismissNotices: { input: nothing, output: nothing },
  /** Confirms that the window shows the `wanted` view. */
  arrivedAt: { input: z.object({ view: z.enum(views) }), output: nothing },
  /** Confirms that the window shows the address of a link. */
  takeLinkAddress: { input: nothing, output: nothing },
  /** Sets the protocol of a profile for the next connections. */
  chooseProtocol: { input: profileChoice, output: nothing },
  /** Folds a service in the list, or unfolds it. */
  foldService: { input: instance.extend({ folded: z.boolean() }), output: nothing },
  /** Stars a profile, or removes its star. */
  starProfile: { input: target.extend({ starred: z.boolean() }), output: nothing },
  ...attachmentsCommands,
  ...contentCommands,
  ...organizationsCommands,
  ...organizationListCommands,
  ...instanceSettingsCommands,
  ...doctorCommands,
  ...updatesCommands,
} as const

export type CommandName = keyof typeof commands
export type CommandInput<Name extends CommandName> = z.infer<(typeof commands)[Name]['input']>
export type CommandOutput<Name extends CommandName> = z.infer<(typeof commands)[Name]['output']>

export type CommandResult<Name extends CommandName> =
  | { readonly ok: true; readonly value: CommandOutput<Name> }
  | { readonly ok: false; readonly error: ErrorReport }
