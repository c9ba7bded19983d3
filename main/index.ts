import { CommanderError } from 'commander'
import { app, dialog } from 'electron'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readAppOptions, type AppOptions } from './shell/app-options'
import { registerAppScheme } from './shell/app-protocol'
import { logDefect } from './shell/defect'
import type { SecondStart } from './shell/desktop-app'
import { MainWindow } from './shell/main-window'
import { maybeForTerminal } from './shell/maybe-terminal'

const files = {
  renderer: join(import.meta.dirname, '../renderer'),
  preload: join(import.meta.dirname, '../preload/index.cjs'),
}

process.on('unhandledRejection', logDefect)

const beforeArguments = process.defaultApp ? 2 : 1
const terminal = await argumentsForTerminal(process.argv.slice(beforeArguments))
if (terminal !== undefined) {
  process.argv.splice(beforeArguments, process.argv.length, ...terminal)
  // Electron waits for this before it looks for a display.
  await import('./cli')
  process.exit(process.exitCode)
}
registerAppScheme()

async function argumentsForTerminal(args: readonly string[]): Promise<string[] | undefined> {
  if (!maybeForTerminal(args)) return undefined
  const { terminalArguments } = await import('./shell/terminal-command')
  return terminalArguments(args, app.getVersion())
}

function readOptions(): AppOptions | undefined {
  try {
    return readAppOptions(process.argv.slice(1), app.getVersion())
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    app.exit(error.exitCode === 0 ? 0 : 2)
    return undefined
  }
}

/** One app a data directory: a second start brings the first one's window to the front. */
function start(options: AppOptions): void {
  const ownFiles = join(options.dataDir, 'window')
  mkdirSync(ownFiles, { recursive: true, mode: 0o700 })
  app.setPath('userData', ownFiles)
  const about: SecondStart = { hidden: options.hidden }
  if (!app.requestSingleInstanceLock({ ...about })) {
    app.exit(0)
    return
  }
  app
    .whenReady()
    .then(() => openApp(options))
    .catch(giveUp)
}

/** The window first: its page loads while the rest of the app does. */
async function openApp(options: AppOptions): Promise<void> {
  const window = new MainWindow(files)
  // On macOS login items take no arguments.
  const openedAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  // Loading the rest keeps main busy: were it done at once, the page would wait for its files.
  await window.open(options.hidden || openedAtLogin ? 'hidden' : 'in-front')
  const { startDesktopApp } = await import('./shell/desktop-app')
  await startDesktopApp(options, window)
}

function giveUp(error: unknown): void {
  logDefect(error)
  dialog.showErrorBox(
    'Causeway cannot start',
    'Check that you may write to the data directory, then start it again.',
  )
  app.exit(1)
}

const options = readOptions()
if (options !== undefined) {
  try {
    start(options)
  } catch (error) {
    giveUp(error)
  }
}
