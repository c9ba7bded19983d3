import { app, BrowserWindow, nativeTheme, type Session, type WebContents } from 'electron'
import { once } from 'node:events'
import { join } from 'node:path'
import { appOrigin } from './renderer-files'

const backgrounds = { light: '#f6f7f9', dark: '#14171c' } as const

/** No program can listen on port 0. */
const nowhere = '127.0.0.1:0'

/**
 * The one window: sandboxed, showing nothing but our own page. Shown once it has something to show and `ready` has resolved,
 * or where it is to stay out of the way left in the tray, or minimised where there is none.
 */
export function openWindow(
  preload: string,
  shown: 'in-front' | 'hidden',
  ready: Promise<{ readonly hasTray: () => Promise<boolean> }>,
  painted: Promise<void>,
): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Causeway',
    width: 1000,
    height: 720,
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
  stayOnOurPage(window.webContents)
  loadAgainAfterCrash(window.webContents)
  refuseExtras(window.webContents.session)
  const drawn = once(window, 'ready-to-show')
  void Promise.all([ready, drawn]).then(async ([{ hasTray }]) => {
    if (window.isDestroyed()) return
    // The theme may be known only now.
    window.setBackgroundColor(background())
    if (shown === 'in-front') {
      window.show()
    } else if (!(await hasTray()) && !window.isDestroyed() && !window.isVisible()) {
      // To be minimised without having been shown takes the keyboard for a moment, on X11.
      window.showInactive()
      window.minimize()
    }
    // Elsewhere the window has that of the program. To read it takes as long as to open the window.
    await painted
    if (process.platform === 'linux' && !window.isDestroyed())
      window.setIcon(join(app.getAppPath(), 'build/icons/app/128x128.png'))
  })
  return window
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light
}

/** Loads the page, once it can reach no network; the returned promise settles when it is there. */
export async function loadPage(window: BrowserWindow): Promise<void> {
  await cutOffNetwork(window.webContents)
  await window.loadURL(`${appOrigin}/index.html`)
}

/** Brings the window before the others, where the system lets us; else asks for attention. */
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

/** The state is in main, so a page that is gone loses nothing. One that dies while it loads is not tried again. */
function loadAgainAfterCrash(contents: WebContents): void {
  let loaded = false
  contents.on('did-finish-load', () => {
    loaded = true
  })
  contents.on('render-process-gone', () => {
    if (!loaded) return
    loaded = false
    contents.reload()
  })
}

/**
 * Keeps the page off the network: only main talks to servers. The content security policy covers neither WebRTC nor name
 * lookups, and a name is enough to carry data out. WebRTC loses UDP; TCP and name lookups go to a proxy and a resolver
 * that cannot exist. Rejects where that cannot be set.
 */
async function cutOffNetwork(contents: WebContents): Promise<void> {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  app.configureHostResolver({ secureDnsMode: 'secure', secureDnsServers: [`https://${nowhere}/`] })
  // Without the rule, loopback addresses would bypass the proxy.
  await contents.session.setProxy({
    mode: 'fixed_servers',
    proxyRules: `socks5://${nowhere}`,
    proxyBypassRules: '<-loopback>',
  })
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
