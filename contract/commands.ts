import { z } from 'zod'
import { appsCommands } from './apps'
import {
  attachmentFilter,
  attachmentIds,
  attachmentItem,
  attachmentPage,
  attachmentsIdentity,
  chosenFiles,
  fileId,
  storedFile,
} from './attachments'
import { appsModes, contentChoices, helpPages } from './choices'
import { instance, protocolChoice, target } from './connection'
import { finding } from './doctor'
import { type ErrorReport, errorReport } from './error-codes'
import { instanceChanges, instanceSettings } from './instance-settings'
import {
  contentId,
  contentList,
  entryDetails,
  entryItem,
  newsCategory,
  newsItem,
  cacheable,
  cacheableList,
  tweetItem,
  unreadable,
  userItem,
} from './news'
import { foundOrganization } from './organization-list'
import {
  addressChanges,
  organizationCredential,
  organizationCredentials,
  organizationId,
  organizationItem,
  organizationPlace,
  organizationText,
  organizationUserList,
  whichOrganization,
} from './organizations'
import { windowSetting } from './settings'
import { views } from './views'

/**
 * Everything that the window can ask of main, on one page. It calls a command by its name (`run` in bridge.ts); main checks the
 * input, and the page the output. Only this crosses between the two besides:
 *
 * - from main, the state when a page starts, later the slices that changed (`appState` in state.ts), and traffic and log lines
 *   while they are watched (`ConnectionNews` there);
 * - from the page, that it has painted, and through the preload script the paths of dropped files, answered as `chooseFiles`.
 *
 * The terminal runs the same handlers (main/commands/), but for the exceptions in main/cli/every-command.test.ts. In a file
 * of its own, because the page draws before it runs any command.
 */

const nothing = z.void()

/** Services, logins, the connection, settings, and the window itself. */
const connectionCommands = {
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
  /** Opens the page on which the network asks to sign in, in the browser: that which answers in the service's place. */
  openNetworkPage: { input: instance, output: nothing },
  /** Opens the settings of the system's clock, on Windows and macOS. */
  openClockSettings: { input: nothing, output: nothing },
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
  /** Copies a message for the help desk, with the support report, to the clipboard. Its text stays in main. */
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
  /** Sets which apps use the next tunnels of a profile; without a mode, as the setting says. */
  chooseAppsMode: { input: target.extend({ mode: z.enum(appsModes).optional() }), output: nothing },
  /** Sets the protocol of a profile for the next connections. */
  chooseProtocol: { input: protocolChoice, output: nothing },
  /** Folds a service in the list, or unfolds it. */
  foldService: { input: instance.extend({ folded: z.boolean() }), output: nothing },
  /** Stars a profile, or removes its star. */
  starProfile: { input: target.extend({ starred: z.boolean() }), output: nothing },
} as const

/** Pre-signed URLs and file paths stay in main: the page names a chosen file by the id that main gave it. */
const attachment = instance.extend({ attachmentId: z.string().min(1).max(1024) })
const transfer = z.object({ transferId: z.string().max(64) })
const attachmentText = z.string().max(16_384)
const attachmentTexts = {
  title: attachmentText,
  description: attachmentText,
  videos: attachmentIds,
  modules: attachmentIds,
}

export const attachmentsCommands = {
  attachmentsIdentity: { input: instance, output: attachmentsIdentity },
  /** Returns one page of at most `pageSize` attachments. */
  listAttachments: {
    input: instance.extend({
      /** Starts at 1. */
      page: z.int().min(1).max(1_000_000),
      pageSize: z.int().min(1).max(100),
      filter: attachmentFilter,
    }),
    output: attachmentPage,
  },
  /** Returns the attachments of a video that the service lists, which may not be all. */
  listAttachmentsOfVideo: {
    input: instance.extend({ videoId: z.string().min(1).max(1024) }),
    output: attachmentPage,
  },
  showAttachment: {
    input: attachment,
    output: z.object({ data: attachmentItem, cachedAt: z.number().optional() }),
  },
  /**
   * Returns what the storage reports about a file; unknown facts are missing. Fails with `http/cancelled` if the command
   * runs again meanwhile.
   */
  attachmentFile: { input: attachment, output: storedFile },
  addAttachmentLink: {
    input: instance.extend({ ...attachmentTexts, address: attachmentText }),
    output: attachmentItem,
  },
  /** Changes only the given fields. `address` applies to links. */
  editAttachment: {
    input: attachment.extend({
      type: z.enum(['INTERNAL', 'EXTERNAL']),
      title: attachmentText,
      description: attachmentText.optional(),
      address: attachmentText.optional(),
      videos: attachmentIds.optional(),
      modules: attachmentIds.optional(),
    }),
    output: nothing,
  },
  /** Opens the system's file dialog; returns no files if the user cancels it. */
  chooseFiles: { input: z.object({ several: z.boolean() }), output: chosenFiles },
  /** Starts an upload for each file; the slice `transfers` shows the progress. */
  uploadFiles: {
    input: instance.extend({
      files: z
        .array(z.object({ ...attachmentTexts, fileId }))
        .min(1)
        .max(1000),
    }),
    output: nothing,
  },
  replaceAttachmentFile: { input: attachment.extend({ fileId, title: attachmentText }), output: nothing },
  /** Opens the system's save dialog, then starts the download. */
  downloadAttachment: { input: attachment, output: nothing },
  cancelTransfer: { input: transfer, output: nothing },
  retryTransfer: { input: transfer, output: nothing },
  dismissTransfer: { input: transfer, output: nothing },
  /** Opens a finished download with the default program, or shows it in its folder. */
  openDownload: { input: transfer, output: nothing },
  showDownload: { input: transfer, output: nothing },
  openAttachmentLink: { input: attachment, output: nothing },
  /** Deletes after a few seconds, or when the window closes. It can be undone until then. */
  deleteAttachment: { input: attachment.extend({ title: attachmentText }), output: nothing },
  /** Also dismisses a failed deletion. */
  undoDeleteAttachment: { input: attachment, output: nothing },
} as const

const offset = z.int().min(0).max(10_000_000)

/** News. */
export const contentCommands = {
  /** Returns a page of entries: of the club, of a user, or from a search. */
  listEntries: {
    input: instance.extend({ of: contentList, offset }),
    output: cacheableList(entryItem),
  },
  showEntry: { input: instance.extend({ entryId: contentId }), output: cacheable(entryDetails) },
  /** Returns the article at a URL, and related ones. */
  revealEntry: {
    input: instance.extend({ address: z.string().max(2000) }),
    output: cacheable(z.object({ entry: entryDetails, related: z.array(entryItem).readonly(), unreadable })),
  },
  /** Returns the current user if no `userId` is given. */
  showContentUser: { input: instance.extend({ userId: contentId.optional() }), output: cacheable(userItem) },
  listTweets: {
    input: instance.extend({
      listId: z.literal(contentChoices.tweetLists),
      interval: z.enum(contentChoices.tweetIntervals),
      offset,
    }),
    output: cacheableList(tweetItem),
  },
  /** Returns the news of all categories if no `listId` is given. */
  listNews: {
    input: instance.extend({
      listId: contentId.optional(),
      interval: z.enum(contentChoices.newsIntervals),
    }),
    output: cacheableList(newsItem),
  },
  listNewsCategories: { input: instance, output: cacheableList(newsCategory) },
  reportMisprint: {
    input: instance.extend({ text: z.string().max(5000), address: z.string().max(2000) }),
    output: z.void(),
  },
  /** Opens an http(s) URL in the browser. */
  openContentLink: { input: z.object({ url: z.string().max(2048) }), output: z.void() },
} as const

const ofPlace = instance.extend({ place: organizationPlace })

export const organizationsCommands = {
  /** Returns the organization, with its address if the caller may read it. */
  showOrganization: {
    input: instance.extend({ which: whichOrganization }),
    output: cacheable(organizationItem),
  },
  listOrganizationUsers: { input: ofPlace, output: cacheable(organizationUserList) },
  createOrganization: {
    input: instance.extend({ name: organizationText }),
    /** Undefined if the service doesn't return the organizationId. */
    output: z.object({ orgId: organizationId.optional() }),
  },
  /** Changes only the given lines of the address. */
  updateOrganization: {
    input: ofPlace.extend({ name: organizationText.optional(), address: addressChanges.optional() }),
    output: nothing,
  },
  deleteOrganization: { input: instance.extend({ orgId: organizationId }), output: nothing },
  addOrganizationUser: {
    input: ofPlace.extend({ loginOrEmail: organizationText, role: organizationText }),
    output: nothing,
  },
  setOrganizationRole: {
    input: ofPlace.extend({ userId: organizationId, role: organizationText }),
    output: nothing,
  },
  removeOrganizationUser: { input: ofPlace.extend({ userId: organizationId }), output: nothing },
  organizationCredentials: { input: instance, output: organizationCredentials },
  setOrganizationCredentials: {
    input: instance.extend({
      credential: organizationCredential,
    }),
    output: organizationCredentials,
  },
  removeOrganizationCredentials: { input: instance, output: organizationCredentials },
} as const

/** The lists of organizations. */
export const organizationListCommands = {
  searchOrganizations: {
    input: z.object({ words: z.string().max(200) }),
    output: z.object({
      /** The best first, and no more than can be looked through. */
      results: z.array(foundOrganization),
      total: z.number(),
      /** Number of entries of the lists that can't be read. */
      unreadable: z.int().nonnegative(),
      /** Why the lists may be old. */
      problem: errorReport.optional(),
    }),
  },
  /** Tells what a typed text is, and the hosts that `lookForPortals` asks for it. Sends nothing. */
  readPlace: {
    input: z.object({ text: z.string().max(2048) }),
    output: z.object({ kind: z.enum(['address', 'domain', 'name']), hosts: z.array(z.string()) }),
  },
  /** Asks the hosts of the domain in a text for a portal; the part before an `@` stays in main. */
  lookForPortals: {
    input: z.object({ text: z.string().max(2048) }),
    output: z.object({
      /** Addresses, the likeliest first. */
      portals: z.array(z.string()),
      /** Why a host that may have a portal didn't answer. */
      problem: errorReport.optional(),
    }),
  },
  addOrganization: {
    input: z.object({ id: z.string().max(2048) }),
    output: instance,
  },
  setLocation: {
    input: instance.extend({ address: z.string().max(2048) }),
    output: z.void(),
  },
  /** Opens one of the support contacts of an instance. */
  openSupportContact: {
    input: instance.extend({ contact: z.string().max(2048) }),
    output: z.void(),
  },
} as const

/** The settings of one service. */
export const instanceSettingsCommands = {
  instanceSettings: { input: instance, output: instanceSettings },
  /** Fails with `usage/invalid-argument`; `details.argument` is one of `instanceArguments`. */
  setInstanceSettings: { input: instance.extend(instanceChanges), output: z.void() },
} as const

const doctorCommands = {
  /** Checks everything that Causeway needs on this computer, or, with an instance, the way to that service. */
  runDoctor: { input: instance.optional(), output: z.array(finding) },
  /** Opens a page of a finding in the browser. */
  openHelpPage: { input: z.object({ page: z.enum(helpPages) }), output: z.void() },
} as const

/** New versions of Causeway. */
const updatesCommands = {
  /** Hides this version, also after a restart. */
  dismissUpdate: { input: z.void(), output: z.void() },
  /** Opens the page about the new version in the browser. */
  openReleaseNotes: { input: z.void(), output: z.void() },
  /**
   * Downloads the new version, quits, and installs it. Installs nothing while connected without `endsConnection`: then the
   * result is `connected`. The slice shows failures.
   */
  installUpdate: {
    input: z.object({ endsConnection: z.boolean() }),
    output: z.enum(['done', 'connected']),
  },
  cancelUpdate: { input: z.void(), output: z.void() },
} as const

export const commands = {
  ...connectionCommands,
  ...attachmentsCommands,
  ...contentCommands,
  ...organizationsCommands,
  ...organizationListCommands,
  ...instanceSettingsCommands,
  ...doctorCommands,
  ...updatesCommands,
  ...appsCommands,
} as const

export type CommandName = keyof typeof commands
export type CommandInput<Name extends CommandName> = z.infer<(typeof commands)[Name]['input']>
export type CommandOutput<Name extends CommandName> = z.infer<(typeof commands)[Name]['output']>

export type CommandResult<Name extends CommandName> =
  | { readonly ok: true; readonly value: CommandOutput<Name> }
  | { readonly ok: false; readonly error: ErrorReport }
