import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { type CommandName, commands } from '../../contract/commands'
import type { Face } from '../commands/face'
import { sharedCommands, type SharedCommands } from '../commands/shared-commands'
import type { Services } from '../app/services'
import { createProgram } from './program'

/** The commands whose one handler window and terminal run, with the words of the terminal. */
const shared: Readonly<Record<keyof SharedCommands, readonly string[]>> = {
  addInstance: ['instance add'],
  removeInstance: ['instance remove'],
  logIn: ['login'],
  logOut: ['logout'],
  renewSession: ['login'],
  connect: ['connect'],
  releaseTraffic: ['connect'],
  setSetting: ['settings set', 'apps mode'],
  runDoctor: ['doctor'],
  chooseAppsMode: ['apps mode'],
  listApps: ['apps list'],
  setApp: ['apps add', 'apps remove'],
  instanceSettings: ['instance show'],
  setInstanceSettings: ['instance set'],
  searchOrganizations: ['discover'],
  readPlace: ['discover'],
  lookForPortals: ['discover'],
  addOrganization: ['instance add'],
  setLocation: ['location set'],
  listAttachments: ['attachment list'],
  listAttachmentsOfVideo: ['attachment for-video'],
  showAttachment: ['attachment show'],
  attachmentFile: ['attachment show'],
  addAttachmentLink: ['attachment add-link'],
  editAttachment: ['attachment edit'],
  listEntries: ['content club', 'content account-posts', 'content search'],
  showEntry: ['content item'],
  revealEntry: ['content reveal'],
  showContentUser: ['content account-info'],
  listTweets: ['content tweets'],
  listNews: ['content news'],
  listNewsCategories: ['content categories'],
  reportMisprint: ['content report-misprint'],
  showOrganization: ['organization show'],
  listOrganizationUsers: ['organization users'],
  createOrganization: ['organization create'],
  updateOrganization: ['organization update'],
  deleteOrganization: ['organization delete'],
  addOrganizationUser: ['organization add-user'],
  setOrganizationRole: ['organization set-role'],
  removeOrganizationUser: ['organization remove-user'],
  organizationCredentials: ['organization credentials show'],
  setOrganizationCredentials: ['organization credentials set'],
  removeOrganizationCredentials: ['organization credentials remove'],
}

/** The commands of the window alone: why, and the words of the terminal that do the same another way. */
const windowOnly: Readonly<
  Record<Exclude<CommandName, keyof SharedCommands>, { readonly why: string; readonly terminal?: string }>
> = {
  appIcon: { why: 'A terminal shows no pictures.' },
  addAppByFile: { why: 'A terminal takes the path.', terminal: 'apps add' },
  openApart: { why: 'A terminal starts any program.', terminal: 'outside' },
  cancelLogIn: { why: 'A terminal has Ctrl-C.' },
  openLogInAgain: { why: 'A terminal prints the address of the login.' },
  copyLogInLink: {
    why: 'A terminal has no clipboard; login --no-browser prints the address.',
    terminal: 'login',
  },
  refreshProfiles: {
    why: 'The list is part of the state, which the window keeps.',
    terminal: 'profile list',
  },
  refreshMessages: {
    why: 'The list is part of the state, which the window keeps.',
    terminal: 'message list',
  },
  markMessagesRead: { why: 'Only the window tells new messages from others.' },
  disconnect: {
    why: 'A terminal ends the connection of another process, and can wait for it.',
    terminal: 'disconnect',
  },
  retryNow: {
    why: 'A terminal makes another process connect again, and waits for it.',
    terminal: 'reconnect',
  },
  openNetworkPage: { why: 'A person at a terminal opens a browser by hand.' },
  openClockSettings: { why: 'A terminal has its own command for the clock.' },
  refreshKillSwitch: {
    why: 'It is part of the state. A terminal asks anew with each command.',
    terminal: 'status',
  },
  setOpenVpn: {
    why: 'The page may not name a program: a system dialog asks for it.',
    terminal: 'settings set',
  },
  installHelper: {
    why: 'In the window the system asks in a dialog, and the state follows.',
    terminal: 'helper install',
  },
  copySupportReport: { why: 'It goes to the clipboard; a terminal prints it.', terminal: 'report' },
  copyText: { why: 'A terminal has no clipboard.' },
  watchTraffic: { why: 'It is drawn as it changes; a terminal prints the sum.', terminal: 'status' },
  watchConnectionLog: { why: 'It is shown as it grows.', terminal: 'log' },
  reportDefect: { why: 'Only a page has defects that main does not see.' },
  readLicenses: { why: 'The package has them as a file.' },
  dismissNotices: { why: 'A terminal prints each notice once.' },
  arrivedAt: { why: 'Only the window has views.' },
  takeLinkAddress: { why: 'Links open the window.' },
  chooseProtocol: {
    why: 'It is kept for the next click; a terminal names it each time.',
    terminal: 'connect',
  },
  foldService: { why: 'It is how the list of the window looks.' },
  starProfile: { why: 'It is how the list of the window looks.' },
  attachmentsIdentity: { why: 'It decides what the window offers.', terminal: 'instance show' },
  chooseFiles: { why: 'The page may not name a file: a system dialog asks for it.' },
  uploadFiles: {
    why: 'The window names files by their ids; a terminal by their paths.',
    terminal: 'attachment upload',
  },
  replaceAttachmentFile: { why: 'As for uploadFiles.', terminal: 'attachment replace' },
  downloadAttachment: { why: 'A system dialog asks where to.', terminal: 'attachment download' },
  cancelTransfer: { why: 'A terminal has Ctrl-C.' },
  retryTransfer: { why: 'A terminal runs the command again.' },
  dismissTransfer: { why: 'Only the window keeps a list of transfers.' },
  openDownload: { why: 'A terminal prints the path.' },
  showDownload: { why: 'A terminal prints the path.' },
  openAttachmentLink: { why: 'A terminal prints the address.', terminal: 'attachment show' },
  deleteAttachment: {
    why: 'The window offers to undo it; a terminal asks before.',
    terminal: 'attachment delete',
  },
  undoDeleteAttachment: { why: 'As for deleteAttachment.' },
  openContentLink: { why: 'A terminal prints the address.' },
  openSupportContact: { why: 'A terminal prints the address.' },
  openHelpPage: { why: 'A terminal prints the address.', terminal: 'doctor' },
  dismissUpdate: { why: 'Only the window offers an update.' },
  openReleaseNotes: { why: 'Only the window offers an update.' },
  installUpdate: { why: 'It replaces the app that runs; a terminal tells of it.', terminal: 'doctor' },
  cancelUpdate: { why: 'Only the window offers an update.' },
}

/** The commands of the terminal alone, and why. */
const terminalOnly: Readonly<Record<string, string>> = {
  inside: 'The window opens installed apps, and a terminal starts any program.',
  'instance list': 'The window has the list as state.',
  'location list': 'The window has the list as state.',
  'settings list': 'The window has the settings as state.',
  'settings get': 'The window has the settings as state.',
  'profile config': 'It is for whoever writes the configuration of a portal.',
  'policy check': 'It is for whoever writes a policy.',
  'certificate show':
    'The window shows when access ends, of any portal; certificates are of version 2 alone.',
  'certificate check': 'As for show: the window checks by itself.',
  'certificate renew': 'As for show: the window renews login and certificate together.',
  'helper allow': 'It is for an administrator.',
  'helper deny': 'It is for an administrator.',
  'helper groups': 'It is for an administrator.',
  'helper remove': 'It is for an administrator.',
  'helper status': 'The window has it as state, and says it in the doctor.',
  completion: 'Only shells complete words.',
  app: 'It opens the window.',
}

function leavesOf(parent: Command, path = ''): string[] {
  return parent.commands.flatMap((child) =>
    child.commands.length === 0 ? [path + child.name()] : leavesOf(child, `${path}${child.name()} `),
  )
}

const root = join(import.meta.dirname, '../..')

function sourceOf(...folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, folder, file),
    ),
  )
  return files
    .filter((file) => /(?<!\.test|\.testing)\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

const terminal = leavesOf(createProgram('1'))

it('is one handler for both, or of one face with its reason', () => {
  const handlers = Object.keys(sharedCommands({} as Services, {} as Face))
  expect(handlers.toSorted()).toEqual(Object.keys(shared).toSorted())
  const all = [...Object.keys(shared), ...Object.keys(windowOnly)]
  expect(all.toSorted()).toEqual(Object.keys(commands).toSorted())
})

it('has words in the terminal, or a reason', () => {
  const named = [
    ...Object.values(shared).flat(),
    ...Object.values(windowOnly).flatMap((one) => one.terminal ?? []),
  ]
  expect(named.filter((words) => !terminal.includes(words))).toEqual([])
  const alone = Object.keys(terminalOnly)
  expect(alone.filter((words) => named.includes(words))).toEqual([])
  expect([...new Set([...named, ...alone])].toSorted()).toEqual(terminal.toSorted())
})

it('is run by the terminal through its handler, and by the window', () => {
  const cli = sourceOf('main/cli')
  const run = (name: string): boolean => new RegExp(`\\brun\\([^)]*'${name}'`).test(cli)
  expect(Object.keys(shared).filter((name) => !run(name))).toEqual([])
  expect(Object.keys(windowOnly).filter(run)).toEqual([])
  const window = sourceOf('renderer', 'main/desktop') + readFileSync(join(root, 'contract/verbs.ts'), 'utf8')
  expect(Object.keys(commands).filter((name) => !new RegExp(`['"]${name}['"]`).test(window))).toEqual([])
})
