import '../../contract/zod-without-eval'
import { app, nativeTheme, powerMonitor, screen, shell } from 'electron'
import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { loadOnce } from '../app/load-once'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import { createServices } from '../app/services'
import { runningProgram } from '../platform/autostart/app-program'
import { createStartAtLogin } from '../platform/autostart/start-at-login'
import { AppModel } from './app-model'
import type { AppOptions } from './app-options'
import { autoConnect } from './auto-connect'
import { logDefect } from './defect'
import type { Dispatch } from './dispatch'
import { tellOfExpiry } from './expiry-notices'
import type { MainWindow } from './main-window'
import { Notices } from './notices'
import { outsideWindow } from './outside-window'
import { powerEvents } from './power-events'
import type { Quitting } from './quitting'
import { desktopQuitting } from './quitting-desktop'
import { WindowPlace } from './window-place'

/** From its state until a page is painted, which takes a twentieth of this. */
const longestPaintMs = 1000

/** Long enough for OpenVPN to end, which is made to after 5 s. */
const longestGoodbyeMs = 8000

/** Builds the services and puts them behind the window, which is open already. */
export async function startDesktopApp(options: AppOptions, window: MainWindow): Promise<void> {
  const writeDefect = (error: unknown) => {
    services.log.write('error', 'app', 'defect', { error })
  }
  const onDefect = (error: unknown) => {
    logDefect(error)
    writeDefect(error)
  }
  const notices = new Notices(onDefect)
  const program = runningProgram(process, app.isPackaged ? undefined : app.getAppPath())
  const services = createServices({
    dataDir: options.dataDir,
    kind: 'window',
    secretStore: options.secretStore,
    openBrowser: createOpenBrowser({
      openExternal: (address) => shell.openExternal(address),
      ...(options.browserCommand === undefined ? {} : { command: options.browserCommand }),
    }),
    onBrowserReturned: toFront,
    networkEvents: powerEvents(powerMonitor),
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
    ...(options.openVpnPath === undefined ? {} : { openVpnPath: options.openVpnPath }),
  })
  process.on('unhandledRejection', writeDefect)
  const model = new AppModel({
    services,
    notices,
    chosenLanguages: options.language === undefined ? [] : [options.language],
    systemLanguages: app.getPreferredSystemLanguages(),
    onDefect,
  })

  function toFront(): void {
    if (window.current === undefined) void window.open()
    else window.toFront()
    if (process.platform === 'darwin') app.focus({ steal: true })
  }

  const place = new WindowPlace({
    dataDirectory: options.dataDir,
    now: () => new Date(),
    screens: () => screen.getAllDisplays().map(({ workArea }) => workArea),
    after: (milliseconds, then) => {
      const timer = setTimeout(then, milliseconds).unref()
      return () => {
        clearTimeout(timer)
      }
    },
    onFailed: (error) => {
      services.log.write('warning', 'app', 'not-kept', { error })
    },
  })
  const commands = loadOnce(async () => {
    const { windowCommands } = await import('./window-commands')
    return windowCommands({ services, model, login: options.login, currentWindow: () => window.current })
  })
  const dispatch: Dispatch = async (name, input) => (await commands())(name, input)
  model.onChange(({ settings }) => {
    if (settings !== undefined) nativeTheme.themeSource = settings.theme
  })
  if (options.verbose) {
    services.connection.onLog((line) => {
      process.stderr.write(`${line}\n`)
    })
  }
  const quitting = desktopQuitting(model, () => window.current)
  const isQuitting = beforeQuitting(quitting, async () => {
    stopTelling()
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
  app.on('second-instance', (_event, _arguments, _folder, other) => {
    if (!isHiddenStart(other)) toFront()
  })
  app.on('activate', () => {
    toFront()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  const onWake = (listener: () => void) => powerEvents(powerMonitor).watch(listener)
  onWake(outside.resumed)
  const stopTelling = tellOfExpiry({
    model,
    watchExpiry: (watched) => services.watchExpiry(watched),
    now: () => new Date(),
    showOnDesktop: (text) => {
      outside.tell(text, 'connection')
    },
    onResume: onWake,
  })
  await Promise.all([model.start(), placed])
  window.standBehind({
    model,
    dispatch,
    offerFiles: (paths) => model.attachments.chosenFiles.offerDropped(paths),
    images: services.contentImages,
    hasTray: outside.waitForTray,
  })
  // The page is painted before main is busy again; one that is broken is not waited for long.
  await Promise.race([window.painted, delay(longestPaintMs)])
  outside.show()
  autoConnect(services).catch(logDefect)
  await commands()
}

/** What a second start says of itself to the first one. */
export interface SecondStart {
  readonly hidden: boolean
}

/** The first one's window stays where it is, if it was only the desktop that started the app again. */
function isHiddenStart(other: unknown): boolean {
  return typeof other === 'object' && other !== null && 'hidden' in other && other.hidden === true
}

/**
 * Keeps the app there while the person is asked, and until `leave` is done, for a bounded time. What comes out says whether
 * the app ends.
 */
function beforeQuitting(quitting: Quitting, leave: () => Promise<void>): () => boolean {
  let goodbye: 'none' | 'under way' | 'said' = 'none'
  app.on('before-quit', (event) => {
    if (goodbye === 'said') return
    event.preventDefault()
    if (goodbye === 'under way' || quitting.holdsBack()) return
    goodbye = 'under way'
    void Promise.race([leave().catch(logDefect), delay(longestGoodbyeMs)]).then(() => {
      goodbye = 'said'
      app.quit()
    })
  })
  return () => goodbye !== 'none'
}
