import { app, dialog } from 'electron'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { silentAtStart } from './app/start-places'
import { readAppOptions, type AppOptions } from './desktop/start/app-options'
import { registerAppScheme } from './desktop/window/app-protocol'
import { logDefect } from './desktop/defect'
import { Inbox } from './desktop/start/inbox'
import { LinkInbox } from './desktop/start/link-inbox'
import type { SecondStart } from './desktop/start/second-start'
import { MainWindow } from './desktop/window/main-window'
import { maybeForTerminal } from './desktop/start/maybe-terminal'
import { leave } from './platform/child-process/leave'
import { refusedOption, removeTrustVariables } from './platform/http/trust-variables'
import { isOfOthers } from './platform/storage/data-directory'
import { repairHome } from './platform/storage/home-variable'
import { makeFolderSync } from './platform/storage/make-folder'

const files = {
  renderer: join(import.meta.dirname, '../renderer'),
  preload: join(import.meta.dirname, '../preload/index.cjs'),
}

process.on('unhandledRejection', logDefect)
repairHome(process.env)
const refused = removeTrustVariables(process)

const beforeArguments = process.defaultApp ? 2 : 1
const terminal = await argumentsForTerminal(process.argv.slice(beforeArguments))
if (terminal !== undefined) {
  process.argv.splice(beforeArguments, process.argv.length, ...terminal)
  // Electron waits for this import before it looks for a display.
  await import('./cli')
  leave(process.exitCode)
}
registerAppScheme()
keepNetworkInMain()

async function argumentsForTerminal(args: readonly string[]): Promise<string[] | undefined> {
  if (!maybeForTerminal(args)) return undefined
  const { terminalArguments } = await import('./desktop/start/terminal-command')
  return terminalArguments(args, app.getVersion())
}

/**
 * Runs Chromium's network code in this process. A separate process would start with the window and take 75 MB for nothing: the
 * page has no network, and everything else uses Node's.
 */
function keepNetworkInMain(): void {
  // Too late once Chromium has started.
  if (app.isReady()) return
  const chosen = app.commandLine.getSwitchValue('enable-features')
  app.commandLine.appendSwitch(
    'enable-features',
    [chosen, 'NetworkServiceInProcess2'].filter(Boolean).join(','),
  )
}

/** Starts one app per data directory: a second start brings the window of the first to the front. */
async function start(options: AppOptions): Promise<void> {
  const { platform, env } = process
  const silent = await silentAtStart({ dataDir: options.dataDir, platform, env, home: homedir() })
  if (silent !== undefined) {
    const why = `${silent} isn't responding. It may be on a disk or a network share that is gone. Reconnect it, then start Causeway again.`
    process.stderr.write(`causeway: ${why}\n`)
    tellAndExit(why)
    return
  }
  if (isOfOthers(options.dataDir)) throw new Error('Another user owns the data directory or may write to it.')
  const ownFiles = join(options.dataDir, 'window')
  makeFolderSync(ownFiles)
  app.setPath('userData', ownFiles)
  const { hidden, connect, link } = options
  const about: SecondStart = { hidden, connect, link }
  if (!app.requestSingleInstanceLock({ ...about })) {
    app.exit(0)
    return
  }
  app
    .whenReady()
    .then(() => openApp(options))
    .catch(giveUp)
}

/** Takes links from the start on: macOS hands over the one that opens the app before it is ready. */
const links = new LinkInbox()
app.on('open-url', (event, link) => {
  event.preventDefault()
  links.put(link)
})

/** Further starts, which may come while this one is under way. */
const starts = new Inbox<unknown>()
app.on('second-instance', (_event, _arguments, _folder, other) => {
  starts.put(other)
})

/** Opens the window first: its page loads together with the rest of the app. */
async function openApp(options: AppOptions): Promise<void> {
  const window = new MainWindow(files)
  // On macOS login items take no arguments.
  const openedAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  const filesHandedOut = window.open(options.hidden || openedAtLogin ? 'hidden' : 'in-front')
  // Loading keeps main busy, and the page would wait for its files. There is time for the services, with what they share with the
  // terminal in a task of its own, until the page's process has started and asks for its script.
  void import('../contract/zod-without-eval').then(() => import('./app/services'))
  await filesHandedOut
  const { startDesktopApp } = await import('./desktop/desktop-app')
  await startDesktopApp(options, window, { links, starts })
}

function giveUp(error: unknown): void {
  logDefect(error)
  tellAndExit(
    'Check that you own the data directory and everything in it, and that no other user can write to it. Then start it again.',
  )
}

/** Tells it in a dialog that leaves main free, so that signals still end it. */
function tellAndExit(detail: string): void {
  void app
    .whenReady()
    .then(() => dialog.showMessageBox({ type: 'error', message: "Causeway couldn't start", detail }))
    .finally(() => {
      app.exit(1)
    })
}

const options = await readAppOptions(process.argv.slice(1), app.getVersion())
if (refused !== undefined) {
  process.stderr.write(`causeway: ${refusedOption(refused)}\n`)
  tellAndExit(refusedOption(refused))
} else if ('exitStatus' in options) {
  app.exit(options.exitStatus)
} else {
  try {
    await start(options)
  } catch (error) {
    giveUp(error)
  }
}
