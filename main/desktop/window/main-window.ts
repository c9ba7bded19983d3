import { session, type BrowserWindow } from 'electron'
import type { FetchedImage } from '../../services/news/fetch-image'
import { serveRenderer } from './app-protocol'
import { logDefect } from '../defect'
import { connectWindow, type WindowAnswers } from './ipc'
import { bringToFront, cutOffNetwork, loadPage, openWindow } from './window'

/** The paths of the built files that the window loads. */
export interface BuiltFiles {
  readonly renderer: string
  readonly preload: string
}

/** The handlers and services behind the window. */
export interface WindowBackground extends WindowAnswers {
  /** The pictures by the ids from main. */
  readonly images: { image(id: string): Promise<FetchedImage | undefined> }
  /** Returns true if the tray shows the app's icon. */
  readonly hasTray: () => Promise<boolean>
}

/**
 * The app's window. It opens and loads its page while the rest of the app loads. It's shown, and its requests are answered,
 * once the background is there. Create it once Electron is ready.
 */
export class MainWindow {
  readonly #files: BuiltFiles
  readonly #background: Promise<WindowBackground>
  readonly #served: ReturnType<typeof serveRenderer>
  /** Resolves at the first paint, or at once if the window opens hidden. */
  readonly painted: Promise<void>
  #markPainted: () => void = () => undefined
  #window: BrowserWindow | undefined
  #resolveBackground: (background: WindowBackground) => void = () => undefined
  #follow: (opened: BrowserWindow) => void = () => undefined
  #arrived: () => void = () => undefined

  constructor(files: BuiltFiles) {
    this.#files = files
    this.#background = new Promise((resolve) => {
      this.#resolveBackground = resolve
    })
    this.#served = serveRenderer(files.renderer, async (id) => (await this.#background).images.image(id))
    this.painted = new Promise((resolve) => {
      this.#markPainted = resolve
    })
    connectWindow(this.#background, () => this.#window, this.#markPainted)
  }

  /** The window, while it is open. */
  get current(): BrowserWindow | undefined {
    return this.#window
  }

  /** Opens the window. Resolves once main has handed out the page's script and styles, or the page has failed to load. */
  open(shown: 'in-front' | 'hidden' = 'in-front'): Promise<unknown> {
    // Takes effect while the window opens.
    const cutOff = cutOffNetwork(session.defaultSession)
    const opened = openWindow(this.#files.preload, shown, this.#background, this.painted)
    this.#window = opened
    if (shown === 'hidden') this.#markPainted()
    opened.once('closed', () => {
      this.#window = undefined
    })
    opened.on('focus', () => {
      void this.painted.then(() => {
        if (!opened.isDestroyed() && opened.isFocused()) this.#arrived()
      })
    })
    this.#follow(opened)
    const loaded = loadPage(opened, cutOff).catch(logDefect)
    return Promise.race([this.#served('.js', '.css'), loaded])
  }

  toFront(): void {
    if (this.#window !== undefined) bringToFront(this.#window)
  }

  /** Calls back with each window that opens, and now if it's open. */
  onOpened(follow: (opened: BrowserWindow) => void): void {
    this.#follow = follow
    if (this.#window !== undefined) follow(this.#window)
  }

  /** Calls back each time the painted window gets the focus. */
  onArrived(arrived: () => void): void {
    this.#arrived = arrived
  }

  /** Sets the background, so that the window can be shown and its requests answered. */
  setBackground(background: WindowBackground): void {
    this.#resolveBackground(background)
  }
}
