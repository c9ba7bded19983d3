import '../../contract/zod-without-eval'
import { app, nativeTheme, powerMonitor, screen, shell } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { lazy } from '../app/lazy'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import { createServices, type Services } from '../app/services'
import { runningProgram } from '../platform/autostart/app-program'
import { createStartAtLogin } from '../platform/autostart/start-at-login'
import { AppModel } from '../commands/models/app-model'
import type { AppOptions } from './start/app-options'
import { autoConnect } from './start/auto-connect'
import { logDefect } from './defect'
import type { Dispatch } from '../commands/dispatch'
import { showExpiryNotices } from './outside/expiry-notices'
import type { Inbox } from './start/inbox'
import type { LinkInbox } from './start/link-inbox'
import { argumentsOfNextStart, bothStarts, parseSecondStart, type SecondStart } from './start/second-start'
import type { MainWindow } from './window/main-window'
import { Notices } from '../commands/models/notices'
import { type OutsideWindow, outsideWindow } from './outside/outside-window'
import { powerEvents } from './system/power-events'
import type { Quitting } from './quitting'
import { desktopQuitting } from './quitting-desktop'
import { createUpdateInstaller } from './system/update-installer'
import { systemProxy } from './system/system-proxy'
import { updateMeans } from '../updates/update-means'
import { openProxySession } from './window/window'
import { WindowPlace } from './window/window-place'
import { after, every } from '../timer'

/** The longest wait for the first paint after sending the state. It usually takes a twentieth of this. */
const maxPaintMs = 1000

/** The time limit for quitting. OpenVPN gets 5 s to end. */
const maxQuitMs = 8000

/** Links, and what further starts ask for. */
interface Arriving {
  readonly links: LinkInbox
  readonly starts: Inbox<unknown>
}

/** Creates the services and connects them to the open window. */
export async function startDesktopApp(
  options: AppOptions,
  window: MainWindow,
  arriving: Arriving,
): Promise<void> {
  const toFront = (): void => {
    if (window.current === undefined) void window.open()
    else window.toFront()
    if (process.platform === 'darwin') app.focus({ steal: true })
  }
  const { services, model } = desktopModel(options, toFront)
  // Reads files while the rest is created.
  const started = model.start()
  const commands = lazy(async () => {
    const { windowCommands } = await import('./window/window-commands')
    return windowCommands({ services, model, login: options.login, currentWindow: () => window.current })
  })
  const dispatch: Dispatch = async (name, input) => (await commands())(name, input)
  const place = windowPlace(options, services)
  const leaving: Leaving = { then: quit }
  const quitting = desktopQuitting(model, () => window.current)
  const isQuitting = beforeQuitting(quitting, leaving, async () => {
    stopExpiryNotices()
    stopLists()
    outside.dispose()
    await Promise.all([model.attachments.deletions.flush(), place.written()])
    await services.dispose()
    model.dispose()
  })
  const outside = outsideWindow({
    model,
    connection: services.connection,
    dispatch,
    toFront,
    isQuitting,
    asksBeforeQuitting: () => quitting.asksFirst,
    dataDirectory: options.dataDir,
  })
  const placed = followWindow(window, { model, place, outside })
  const restartsFor = (other: SecondStart): boolean => {
    if (isQuitting()) leaving.nextStart = bothStarts(leaving.nextStart, other)
    return isQuitting()
  }
  followApp({ options, arriving, model, outside, toFront, restartsFor })
  const stopExpiryNotices = watchExpiry(services, model, outside)
  let stopLists = (): void => undefined
  await Promise.all([started, placed()])
  window.setBackground({
    model,
    dispatch,
    offerFiles: (paths) =>
      model.attachments.chosenFiles.offerDropped(paths, async (dropped) => {
        const { confirmFiles } = await import('./window/window-commands')
        return confirmFiles({ services, model, currentWindow: () => window.current }, dropped)
      }),
    images: services.contentImages,
    hasTray: outside.waitForTray,
  })
  // Lets the page paint before main gets busy again. The time limit is for a broken page.
  await Promise.race([window.painted, delay(maxPaintMs)])
  outside.show()
  if (options.connect) outside.connect()
  else autoConnect(services).catch(logDefect)
  stopLists = services.directory.watch(every)
  registerLinks()
  await commands()
  startUpdates(services, model, { leaving, quitting })
}

/** Creates the services of the app, and the model of its state. */
function desktopModel(
  options: AppOptions,
  toFront: () => void,
): { readonly services: Services; readonly model: AppModel } {
  const writeDefect = (error: unknown) => {
    services.log.write('error', 'app', 'defect', { error })
  }
  const onDefect = (error: unknown) => {
    logDefect(error)
    writeDefect(error)
  }
  const notices = new Notices(onDefect)
  const services = desktopServices(options, notices, toFront)
  process.on('unhandledRejection', writeDefect)
  const model = new AppModel({
    services,
    notices,
    chosenLanguages: options.language === undefined ? [] : [options.language],
    systemLanguages: app.getPreferredSystemLanguages(),
    onDefect,
  })
  model.onChange(({ settings }) => {
    if (settings !== undefined) nativeTheme.themeSource = settings.theme
  })
  if (options.verbose) {
    services.connection.onLog((line) => {
      process.stderr.write(`${line}\n`)
    })
  }
  return { services, model }
}

function desktopServices(options: AppOptions, notices: Notices, toFront: () => void): Services {
  const program = runningProgram(process, app.isPackaged ? undefined : app.getAppPath())
  const proxySession = lazy(openProxySession)
  return createServices({
    dataDir: options.dataDir,
    kind: 'window',
    secretStore: options.secretStore,
    openBrowser: createOpenBrowser({
      openExternal: (address) => shell.openExternal(address),
      commands: options.browserCommands,
    }),
    onBrowserReturned: toFront,
    proxyFor: systemProxy(process.env, async (address) => (await proxySession()).resolveProxy(address)),
    // On Windows the helper reports wake-ups, to the terminal command as well.
    networkEvents: process.platform === 'win32' ? undefined : powerEvents(powerMonitor),
    startAtLogin: createStartAtLogin({
      platform: process.platform,
      env: process.env,
      home: homedir(),
      dataDir: options.dataDir,
      secretStore: options.secretStore,
      program: () => Promise.resolve(program),
      loginItems: { items: app, program },
    }),
    onNotice: (notice) => {
      notices.add(notice)
    },
    openVpnPath: options.openVpnPath,
    discovery: options.discovery,
  })
}

function windowPlace({ dataDir }: AppOptions, services: Pick<Services, 'log'>): WindowPlace {
  return new WindowPlace({
    dataDirectory: dataDir,
    now: () => new Date(),
    screens: () => screen.getAllDisplays().map(({ workArea }) => workArea),
    after,
    onFailed: (error) => {
      services.log.write('warning', 'app', 'not-kept', { error })
    },
  })
}

/** Follows each window that opens. Returns a function that waits until the last one has its place. */
function followWindow(
  window: MainWindow,
  {
    model,
    place,
    outside,
  }: { readonly model: AppModel; readonly place: WindowPlace; readonly outside: OutsideWindow },
): () => Promise<void> {
  let placed = Promise.resolve()
  window.onOpened((opened) => {
    placed = place.follow(opened)
    opened.once('closed', () => {
      void model.attachments.deletions.flush()
    })
    outside.follow(opened)
  })
  window.onArrived(() => {
    void model.readSettings()
    outside.arrived()
  })
  return () => placed
}

/** Follows the app: further starts of it, links, and its windows. */
function followApp({
  options,
  arriving: { links, starts },
  model,
  outside,
  toFront,
  restartsFor,
}: {
  readonly options: AppOptions
  readonly arriving: Arriving
  readonly model: AppModel
  readonly outside: OutsideWindow
  readonly toFront: () => void
  /** Returns true while the app is quitting: it starts again afterwards, as a further start has asked. */
  readonly restartsFor: (other: SecondStart) => boolean
}): void {
  const another = { hidden: false, connect: false }
  links.onAddress((address) => {
    const link = `causeway://add/${encodeURIComponent(address)}`
    if (!restartsFor({ ...another, link })) model.offerAddress(address)
  })
  links.put(options.link)
  starts.onEach((data) => {
    const other = parseSecondStart(data)
    if (restartsFor(other)) return
    if (!other.hidden) toFront()
    links.put(other.link)
    if (other.connect) outside.connect()
  })
  app.on('activate', () => {
    if (!restartsFor(another)) toFront()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
}

/** Shows notices of sessions that end; returns a function that ends this. */
function watchExpiry(services: Services, model: AppModel, outside: OutsideWindow): () => void {
  const onWake = (listener: () => void) => powerEvents(powerMonitor).watch(listener)
  onWake(outside.resumed)
  return showExpiryNotices({
    model,
    watchExpiry: (watched) => services.watchExpiry(watched),
    now: () => new Date(),
    showOnDesktop: (text) => {
      outside.notify(text, 'connection')
    },
    onResume: onWake,
  })
}

function startUpdates(
  services: Pick<Services, 'transport'>,
  model: AppModel,
  { leaving, quitting }: { readonly leaving: Leaving; readonly quitting: Quitting },
): void {
  const args = argumentsOfNextStart(process.argv.slice(1), { hidden: false, connect: false })
  const installer = createUpdateInstaller({ load: loadUpdater, transport: services.transport, args })
  void model.update.start(
    {
      means: () => updateMeans({ ...process, program: process.execPath, isPackaged: app.isPackaged }),
      installer,
      mayQuit: () => quitting.agrees(),
      quitAndInstall: () => {
        leaving.then = () => {
          // The new version starts while this one ends.
          app.releaseSingleInstanceLock()
          installer.install(restart)
        }
        quitting.quitAsAgreed()
      },
    },
    every,
  )
}

/** Opens `causeway:` links with this app. On Linux, the desktop entries of the packages do this. */
function registerLinks(): void {
  if (!app.isPackaged || process.platform === 'linux') return
  // After `--`, no part of a link is an option.
  app.setAsDefaultProtocolClient('causeway', process.execPath, process.platform === 'win32' ? ['--'] : [])
}

/** Loads electron-updater, which an installed app needs only to install a new version. */
async function loadUpdater(): Promise<AppUpdater> {
  const { autoUpdater } = await import('electron-updater')
  if (!app.isPackaged) {
    autoUpdater.forceDevUpdateConfig = true
    autoUpdater.updateConfigPath = join(app.getAppPath(), 'build', 'app-update.yml')
  }
  return autoUpdater
}

/** Starts the old version again after an installation that failed: this process has closed everything. */
function restart(error: unknown): void {
  logDefect(error)
  relaunch()
  app.exit(1)
}

/** Steps around the end of the process. */
interface Leaving {
  /** Ends the process once everything is closed. */
  then: () => void
  /** A start that came meanwhile, and has ended itself because this app was there. */
  nextStart?: SecondStart
}

function quit(): void {
  app.quit()
}

/** Starts the app again once this one has ended. An update that is installed does so anyway. */
function startNext({ then, nextStart }: Leaving): void {
  if (nextStart === undefined || then !== quit) return
  relaunch(argumentsOfNextStart(process.argv.slice(1), nextStart))
}

function relaunch(args?: string[]): void {
  const [execPath] = runningProgram(process, undefined)
  app.relaunch({ execPath, args })
}

/**
 * Delays quitting while the user is asked, and until `leave` has finished, with a time limit. Returns a function that returns
 * true while the app is quitting.
 */
function beforeQuitting(quitting: Quitting, leaving: Leaving, leave: () => Promise<void>): () => boolean {
  let stage: 'running' | 'leaving' | 'left' = 'running'
  app.on('before-quit', (event) => {
    if (stage === 'left') return
    event.preventDefault()
    if (stage === 'leaving' || quitting.holdsBack()) return
    stage = 'leaving'
    void Promise.race([leave().catch(logDefect), delay(maxQuitMs)]).then(() => {
      stage = 'left'
      startNext(leaving)
      leaving.then()
    })
  })
  return () => stage !== 'running'
}
