import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../../platform/storage/json-file'
import type { Timer } from '../../timer'

/** An area of the desktop in pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Place extends Area {
  readonly maximised: boolean
}

/** The subset of Electron's BrowserWindow that is used. */
export interface PlacedWindow {
  getNormalBounds(): Area
  isMaximized(): boolean
  isVisible(): boolean
  isDestroyed(): boolean
  setBounds(area: Area): void
  maximize(): void
  on(event: 'resize' | 'move' | 'maximize' | 'unmaximize' | 'close', listener: () => void): unknown
  once(event: 'show', listener: () => void): unknown
}

const pixels = z.int().min(-100_000).max(100_000)
const size = z.int().min(1).max(100_000)
/** An invalid place is treated as none. */
const stored = z
  .object({ x: pixels, y: pixels, width: size, height: size, maximised: z.boolean() })
  .optional()
  .catch(undefined)

/** The least part of the title bar, for moving the window, that must be on a screen. */
const minVisible = { width: 100, height: 24 } as const
const minSize = { width: 400, height: 480 } as const
/** The delay before a place is stored, because moving a window changes it continuously. */
const settlesAfterMs = 500
const maxReadMs = 500

/** Returns the place for opening the window, fitted to its screen; undefined if it's on none of the screens. */
export function usablePlace(place: Place, screens: readonly Area[]): Place | undefined {
  const screen = screens.find(
    (each) =>
      overlap(place.x, place.width, each.x, each.width) >= minVisible.width &&
      overlap(place.y, minVisible.height, each.y, each.height) >= minVisible.height,
  )
  if (screen === undefined) return undefined
  return {
    ...place,
    width: Math.max(minSize.width, Math.min(place.width, screen.width)),
    height: Math.max(minSize.height, Math.min(place.height, screen.height)),
  }
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom)
}

export interface WindowPlaceOptions {
  readonly dataDirectory: string
  readonly now: () => Date
  /** Returns the work areas of the screens. */
  readonly screens: () => readonly Area[]
  /** Starts a timer; returns a function that cancels it. */
  readonly after: Timer
  /** Called with errors of reading and writing. */
  readonly onFailed: (error: unknown) => void
}

/** Stores size and position of the window in `window.json` in the data directory. */
export class WindowPlace {
  readonly #options: WindowPlaceOptions
  readonly #file: ReturnType<typeof createJsonFile<Place | undefined>>
  #lastPlace: string | undefined
  #window: PlacedWindow | undefined
  /** The last write; writes are serial. */
  #writing: Promise<void> = Promise.resolve()

  constructor(options: WindowPlaceOptions) {
    const { dataDirectory, now } = options
    this.#options = options
    this.#file = createJsonFile<Place | undefined>({
      path: join(dataDirectory, 'window.json'),
      schema: stored,
      version: 1,
      empty: undefined,
      now,
    })
  }

  /** Restores the place of the window and tracks it. Resolves when the window may be shown, also after errors. */
  async follow(window: PlacedWindow): Promise<void> {
    const place = await this.#read()
    const usable = place === undefined ? undefined : usablePlace(place, this.#options.screens())
    if (usable !== undefined) restore(window, usable)

    this.#window = window
    let stop = (): void => undefined
    const settle = (): void => {
      stop()
      stop = this.#options.after(settlesAfterMs, () => {
        this.#keep(window)
      })
    }
    for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event, settle)
    window.on('close', () => {
      stop()
      this.#keep(window)
    })
  }

  /** Stores the current place; resolves when it's written. */
  written(): Promise<void> {
    if (this.#window !== undefined) this.#keep(this.#window)
    return this.#writing
  }

  async #read(): Promise<Place | undefined> {
    const late = new Promise<undefined>((resolve) => {
      this.#options.after(maxReadMs, () => {
        resolve(undefined)
      })
    })
    const place = this.#file.read().catch((error: unknown) => {
      this.#options.onFailed(error)
      return undefined
    })
    return Promise.race([place, late])
  }

  #keep(window: PlacedWindow): void {
    // Before the window is shown, the user hasn't moved it.
    if (window.isDestroyed() || !window.isVisible()) return
    const { x, y, width, height } = window.getNormalBounds()
    const place: Place = { x, y, width, height, maximised: window.isMaximized() }
    const known = JSON.stringify(place)
    if (known === this.#lastPlace) return
    this.#lastPlace = known
    this.#writing = this.#file.write(place).catch(this.#options.onFailed)
  }
}

function restore(window: PlacedWindow, { maximised, ...area }: Place): void {
  window.setBounds(area)
  if (!maximised) return
  // Maximising a hidden window would show it.
  if (window.isVisible()) window.maximize()
  else
    window.once('show', () => {
      window.maximize()
    })
}
