import { app, BrowserWindow, nativeTheme, session, type Session, type WebContents } from 'electron'
import { join } from 'node:path'
import { loadAgainAfterCrash } from './load-again'
import { appOrigin, reachableHosts } from './page-origin'
import { whenDrawn } from './when-drawn'

const backgrounds = { light: '#f6f7f9', dark: '#14171c' } as const

/** No program can listen on port 0. */
const nowhere = '127.0.0.1:0'

/**
 * Opens the window, sandboxed and restricted to our own page. It's shown once it's drawn and `ready` has resolved. A hidden one
 * stays in the tray, or is minimised if there is none.
 */
export function openWindow(
  preload: string,
  shown: 'in-front' | 'hidden',
  ready: Promise<{ readonly hasTray: () => Promise<boolean> }>,
  painted: Promise<void>,
): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Causeway',
    width: 880,
    height: 640,
    minWidth: 400,
    minHeight: 480,
    useContentSize: true,
    show: false,
    backgroundColor: background(),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      safeDialogs: true,
    },
  })
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  stayOnOurPage(window.webContents)
  loadAgainAfterCrash(window.webContents)
  refuseExtras(window.webContents.session)
  const { platform, env } = process
  const ozonePlatform = app.commandLine.getSwitchValue('ozone-platform')
  const drawn = whenDrawn(window, { platform, env, ozonePlatform })
  void Promise.all([ready, drawn]).then(async ([{ hasTray }]) => {
    if (window.isDestroyed()) return
    // The theme may have changed since the window was created.
    window.setBackgroundColor(background())
    if (shown === 'in-front') {
      window.show()
    } else if (!(await hasTray()) && !window.isDestroyed() && !window.isVisible()) {
      // On X11, minimising a window that was never shown takes the keyboard focus for a moment.
      window.showInactive()
      window.minimize()
    }
    // Elsewhere the window has the program's icon. Reading the file takes as long as opening the window.
    await painted
    if (process.platform === 'linux' && !window.isDestroyed())
      window.setIcon(join(app.getAppPath(), 'build/icons/app/128x128.png'))
  })
  return window
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light
}

/** Loads the page, once it's cut off the network. */
export async function loadPage(window: BrowserWindow, cutOff: Promise<void>): Promise<void> {
  await cutOff
  await window.loadURL(`${appOrigin}/index.html`)
}

/** Brings the window to the front, or flashes it if the system doesn't allow that. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (!window.isFocused()) {
    window.flashFrame(true)
    window.once('focus', () => {
      window.flashFrame(false)
    })
  }
}

function stayOnOurPage(contents: WebContents): void {
  const refuse = (event: { preventDefault(): void }): void => {
    event.preventDefault()
  }
  contents.on('will-navigate', refuse)
  contents.on('will-frame-navigate', refuse)
  contents.on('will-redirect', refuse)
  contents.on('will-attach-webview', refuse)
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/**
 * Keeps pages off the network: only main talks to servers. The content security policy covers neither WebRTC nor name
 * lookups, and a lookup can carry data out. WebRTC loses UDP (openWindow); TCP and name lookups go to a proxy and a resolver
 * that can't exist. Rejects if that can't be set.
 */
export async function cutOffNetwork(session: Session): Promise<void> {
  app.configureHostResolver({ secureDnsMode: 'secure', secureDnsServers: [`https://${nowhere}/`] })
  // Without the rule, loopback addresses would bypass the proxy.
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: `socks5://${nowhere}`,
    proxyBypassRules: ['<-loopback>', ...reachableHosts].join(';'),
  })
}

/**
 * Returns a session that knows the system's proxy settings, or those of Chromium's switches, and loads nothing. The page's own
 * session has a proxy that can't exist.
 */
export async function openProxySession(): Promise<Session> {
  const own = session.fromPartition('system-proxy')
  const [pacScript = '', proxyRules = '', proxyBypassRules = ''] = [
    'proxy-pac-url',
    'proxy-server',
    'proxy-bypass-list',
  ].map((name) => app.commandLine.getSwitchValue(name))
  // Electron applies the switches to the default session alone.
  if (pacScript !== '') await own.setProxy({ mode: 'pac_script', pacScript })
  else if (proxyRules !== '') await own.setProxy({ mode: 'fixed_servers', proxyRules, proxyBypassRules })
  return own
}

function refuseExtras(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false)
  })
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => {
    event.preventDefault()
  })
}
