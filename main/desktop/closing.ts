import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../platform/storage/json-file'

/** The part of Electron's BrowserWindow that is used. */
export interface ClosedWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown
  hide(): void
  show(): void
  isVisible(): boolean
  isDestroyed(): boolean
}

export interface ClosingOptions {
  /** The setting, as it is now. */
  readonly closesToTray: () => boolean
  /** True from the moment that the app ends. */
  readonly isQuitting: () => boolean
  /** Whether the person would be asked first if the app ended now. */
  readonly asksBeforeQuitting: () => boolean
  /** Looks whether there is a tray, and puts the app's mark into it. */
  readonly lookForTray: () => Promise<boolean>
  readonly quit: () => void
  /** The window has gone into the tray. */
  readonly onStays: () => void
}

/**
 * A window that is closed goes out of sight, and the app stays in the tray with its tunnel. Where there is none it ends,
 * as with the setting `closeToTray` off: nobody would find it again. Where the person is asked first, the window stays for
 * the question, and for those who want to go on.
 */
export function stayInTray(window: ClosedWindow, options: ClosingOptions): void {
  const { closesToTray, isQuitting, asksBeforeQuitting, lookForTray, quit, onStays } = options
  window.on('close', (event) => {
    if (isQuitting()) return
    if (!closesToTray()) {
      if (!asksBeforeQuitting()) return
      event.preventDefault()
      quit()
      return
    }
    event.preventDefault()
    window.hide()
    void lookForTray().then((there) => {
      if (there) onStays()
      // Somebody may have brought it back meanwhile.
      else if (window.isDestroyed() || !window.isVisible()) {
        if (asksBeforeQuitting() && !window.isDestroyed()) window.show()
        quit()
      }
    })
  })
}

/** Whether something was said before, for what is said only once; in `said-once.json` of the data directory. */
export async function isFirstTime(
  what: string,
  options: { readonly dataDirectory: string; readonly now: () => Date },
): Promise<boolean> {
  const { dataDirectory, now } = options
  const file = createJsonFile<readonly string[]>({
    path: join(dataDirectory, 'said-once.json'),
    schema: z.array(z.string().max(64)).max(64).readonly(),
    version: 1,
    empty: [],
    now,
  })
  let first = false
  await file.update((said) => {
    first = !said.includes(what)
    return first ? [...said, what] : said
  })
  return first
}
