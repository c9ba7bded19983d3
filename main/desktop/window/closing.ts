import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../../platform/storage/json-file'

/** The subset of Electron's BrowserWindow that closing uses. */
export interface ClosedWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown
  hide(): void
  show(): void
  isVisible(): boolean
  isDestroyed(): boolean
}

export interface ClosingOptions {
  /** Returns the setting `closeToTray`. */
  readonly closesToTray: () => boolean
  /** Returns true while the app is quitting. */
  readonly isQuitting: () => boolean
  /** Returns true if quitting now would ask the user first. */
  readonly asksBeforeQuitting: () => boolean
  /** Checks for a tray and shows the app's icon in it. */
  readonly lookForTray: () => Promise<boolean>
  readonly quit: () => void
  /** Called when the app stays in the tray. */
  readonly onStays: () => void
}

/**
 * Hides a closed window and keeps the app in the tray with its tunnel. Without a tray, or with the setting `closeToTray` off,
 * the app quits. If quitting asks the user first, the window stays for the question.
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
      // The user may have opened it again meanwhile.
      else if (window.isDestroyed() || !window.isVisible()) {
        if (asksBeforeQuitting() && !window.isDestroyed()) window.show()
        quit()
      }
    })
  })
}

/** Returns true for the first call with this name, for hints shown only once; stored in `said-once.json`. */
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
  await file.update((shownBefore) => {
    first = !shownBefore.includes(what)
    return first ? [...shownBefore, what] : shownBefore
  })
  return first
}
