import type { BrowserWindow } from 'electron'
import type { FetchedImage } from '../services/news/fetch-image'
import { serveRenderer } from './app-protocol'
import { logDefect } from './defect'
import { connectWindow, type WindowAnswers } from './ipc'
import { bringToFront, loadPage, openWindow } from './window'

/** Where the build has put what the window loads. */
export interface BuiltFiles {
  readonly renderer: string
  readonly preload: string
}

/** What is behind the window. */
export interface WindowBackground extends WindowAnswers {
  /** The pictures that main has given names to. */
  readonly images: { image(id: string): Promise<FetchedImage | undefined> }
  /** Whether a window that stays out of the way can be found again in the tray. */
  readonly hasTray: () => Promise<boolean>
}

/**
 * The one window, which opens before the rest of the app is loaded: its page loads meanwhile. It is shown, and what it
 * asks is answered, once there is something behind it. To be made once Electron is ready.
 */
export class MainWindow {
  readonly #files: BuiltFiles
  readonly #background: Promise<WindowBackground>
  readonly #complete: Promise<void>
  /** Resolves when a page has been painted, or at once where the window opens out of sight. */
  readonly painted: Promise<void>
  #seePainted: () => void = () => undefined
  #window: BrowserWindow | undefined
  #stand: (background: WindowBackground) => void = () => undefined
  #follow: (opened: BrowserWindow) => void = () => undefined
  #arrived: () => void = () => undefined

  constructor(files: BuiltFiles) {
    this.#files = files
    this.#background = new Promise((resolve) => {
      this.#stand = resolve
    })
    this.#complete = new Promise((resolve) => {
      serveRenderer(files.renderer, async (id) => (await this.#background).images.image(id), resolve)
    })
    this.painted = new Promise((resolve) => {
      this.#seePainted = resolve
    })
    connectWindow(this.#background, () => this.#window, this.#seePainted)
  }

  /** The window, while it is open. */
  get current(): BrowserWindow | undefined {
    return this.#window
  }

  /** Resolves when the page has its script and style, or has failed to load: it works by itself now, or never will. */
  open(shown: 'in-front' | 'hidden' = 'in-front'): Promise<unknown> {
    const opened = openWindow(this.#files.preload, shown, this.#background, this.painted)
    this.#window = opened
    if (shown === 'hidden') this.#seePainted()
    opened.once('closed', () => {
      this.#window = undefined
    })
    opened.on('focus', () => {
      void this.painted.then(() => {
        if (!opened.isDestroyed() && opened.isFocused()) this.#arrived()
      })
    })
    this.#follow(opened)
    return Promise.race([this.#complete, loadPage(opened).catch(logDefect)])
  }

  toFront(): void {
    if (this.#window !== undefined) bringToFront(this.#window)
  }

  /** Hands the window over to `follow` each time when it opens; now, where it is open already. */
  onOpened(follow: (opened: BrowserWindow) => void): void {
    this.#follow = follow
    if (this.#window !== undefined) follow(this.#window)
  }

  /** Calls back each time when the person comes to the window, once there is something to see. */
  onArrived(arrived: () => void): void {
    this.#arrived = arrived
  }

  /** From now on this is behind the window. */
  standBehind(background: WindowBackground): void {
    this.#stand(background)
  }
}
