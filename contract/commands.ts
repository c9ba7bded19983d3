import { z } from 'zod'
import { attachmentsCommands } from './attachments'
import { target } from './connection'
import { contentCommands } from './news'
import { doctorCommands } from './doctor'
import type { ErrorReport } from './error-codes'
import { instanceSettingsCommands } from './instance-settings'
import { organizationsCommands } from './organizations'
import { windowSetting } from './settings'
import { view } from './views'

/** The commands of the contract, with what they take and give. Apart from the state, as a page is drawn before it runs any. */

const instance = z.object({ instanceId: z.string().max(2048) })
const nothing = z.void()

export const commands = {
  addInstance: { input: z.object({ address: z.string().max(2048) }), output: instance },
  removeInstance: { input: instance, output: nothing },
  /** Ends when the browser has come back, or with `oauth/cancelled`. */
  logIn: { input: instance, output: nothing },
  cancelLogIn: { input: instance, output: nothing },
  /** Opens the browser once more for a login that waits for it. */
  openLogInAgain: { input: instance, output: nothing },
  /** Puts the address of the login page into the clipboard, for a browser elsewhere; it stays in main. */
  copyLogInLink: { input: instance, output: nothing },
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
  setSetting: { input: z.object({ name: windowSetting, value: z.string().max(4096) }), output: nothing },
  /**
   * Sets which OpenVPN makes the tunnel: `dialog` asks the person in a dialog of the system and changes nothing where they
   * cancel it, `detection` goes back to the one that is detected automatically.
   */
  setOpenVpn: { input: z.object({ by: z.enum(['dialog', 'detection']) }), output: nothing },
  /** Puts the report for support into the clipboard; its text stays in main. */
  copySupportReport: { input: nothing, output: nothing },
  /** Puts what the window shows into the clipboard. */
  copyText: { input: z.object({ text: z.string().max(4096) }), output: nothing },
  /** The traffic is to be told as news, or is not any more; it is read while it is, so only while somebody sees it. */
  watchTraffic: { input: z.object({ wanted: z.boolean() }), output: nothing },
  /** The lines of OpenVPN's log after the one of this number are to be told as news, without secrets; without one, none. */
  watchConnectionLog: { input: z.object({ after: z.number().optional() }), output: nothing },
  /** The page ran into a defect; for the log. Without the error's message, which could hold anything. */
  reportDefect: {
    input: z.object({ kind: z.string().max(64), at: z.array(z.string().max(300)).max(5) }),
    output: nothing,
  },
  dismissNotices: { input: nothing, output: nothing },
  /** The window shows the view that was `wanted`. */
  arrivedAt: { input: z.object({ view }), output: nothing },
  /** Of several instances, the window shows the profiles of this one: its big button connects there. */
  showsInstance: { input: instance, output: nothing },
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
