import { app, clipboard, nativeTheme, powerMonitor, screen, shell } from 'electron'
import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { supportReportText } from '../log/support-report'
import { createOpenBrowser } from '../oauth/open-browser'
import { createServices } from '../services'
import { runningProgram } from '../start-at-login/app-program'
import { createStartAtLogin } from '../start-at-login/start-at-login'
import { AppModel } from './app-model'
import type { AppOptions } from './app-options'
import { attachmentsDesktop } from './attachments-desktop'
import { autoConnect } from './auto-connect'
import { commandHandlers } from './commands'
import { logDefect } from './defect'
import { createDispatch } from './dispatch'
import { tellOfExpiry } from './expiry-notices'
import type { MainWindow } from './main-window'
import { Notices } from './notices'
import { outsideWindow } from './outside-window'
import { powerEvents } from './power-events'
import { WindowPlace } from './window-place'

/** Long enough for OpenVPN to end, which is made to after 5 s. */
const longestGoodbyeMs = 8000

/** Builds the services and puts them behind the window, which is open already. */
export async function startDesktopApp(options: AppOptions, window: MainWindow): Promise<void> {
  const notices = new Notices()
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
  const model = new AppModel({
    services,
    notices,
    chosenLanguages: options.language === undefined ? [] : [options.language],
    systemLanguages: app.getPreferredSystemLanguages(),
    onDefect: logDefect,
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
  const dispatch = createDispatch(
    commandHandlers(services, model, {
      login: options.login,
      copySupportReport: async () => {
        await clipboard.writeText(supportReportText(await services.supportReport()))
      },
      copyText: async (text) => {
        await clipboard.writeText(text)
      },
      desktop: attachmentsDesktop(() => window.current),
    }),
    logDefect,
    (command, error) => {
      services.log.write('error', 'command', 'failed', { command, error })
    },
  )
  model.onChange(({ settings }) => {
    if (settings !== undefined) nativeTheme.themeSource = settings.theme
  })
  if (options.verbose) {
    services.connection.onLog((line) => {
      process.stderr.write(`${line}\n`)
    })
  }
  const isQuitting = beforeQuitting(async () => {
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
    dataDirectory: options.dataDir,
  })
  let placed = Promise.resolve()
  window.onOpened((opened) => {
    placed = place.follow(opened)
    opened.once('closed', () => {
      void model.attachments.deletions.flush()
    })
    opened.on('focus', () => {
      void model.readSettings()
    })
    outside.follow(opened)
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
  void outside.lookForTray()
  autoConnect(services).catch(logDefect)
}

/** What a second start says of itself to the first one. */
export interface SecondStart {
  readonly hidden: boolean
}

/** The first one's window stays where it is, if it was only the desktop that started the app again. */
function isHiddenStart(other: unknown): boolean {
  return typeof other === 'object' && other !== null && 'hidden' in other && other.hidden === true
}

/** Keeps the app there until `leave` is done, for a bounded time. What comes out says whether the app ends. */
function beforeQuitting(leave: () => Promise<void>): () => boolean {
  let goodbye: 'none' | 'under way' | 'said' = 'none'
  app.on('before-quit', (event) => {
    if (goodbye === 'said') return
    event.preventDefault()
    if (goodbye === 'under way') return
    goodbye = 'under way'
    void Promise.race([leave().catch(logDefect), delay(longestGoodbyeMs)]).then(() => {
      goodbye = 'said'
      app.quit()
    })
  })
  return () => goodbye !== 'none'
}
