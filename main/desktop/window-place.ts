import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile } from '../platform/storage/json-file'

/** In pixels of the desktop. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Place extends Area {
  readonly maximised: boolean
}

/** Of Electron's BrowserWindow, what has a place. */
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
/** What is no place stands for none. */
const stored = z
  .object({ x: pixels, y: pixels, width: size, height: size, maximised: z.boolean() })
  .optional()
  .catch(undefined)

/** As much of the top of the window, by which it is moved, has to be on a screen. */
const seen = { width: 100, height: 24 } as const
const smallest = { width: 400, height: 480 } as const
/** While a window is moved there is no end of places. */
const settlesAfterMs = 500
const longestReadMs = 500

/** The place to open a window at, on one of these screens; undefined where it would be on none of them. */
export function usablePlace(place: Place, screens: readonly Area[]): Place | undefined {
  const screen = screens.find(
    (each) =>
      overlap(place.x, place.width, each.x, each.width) >= seen.width &&
      overlap(place.y, seen.height, each.y, each.height) >= seen.height,
  )
  if (screen === undefined) return undefined
  return {
    ...place,
    width: Math.max(smallest.width, Math.min(place.width, screen.width)),
    height: Math.max(smallest.height, Math.min(place.height, screen.height)),
  }
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom)
}

export interface WindowPlaceOptions {
  readonly dataDirectory: string
  readonly now: () => Date
  /** The areas of the screens in which windows are. */
  readonly screens: () => readonly Area[]
  /** Calls back after so many milliseconds; what it returns stops that. */
  readonly after: (milliseconds: number, then: () => void) => () => void
  /** Told why the place could not be read or kept, which nothing waits for. */
  readonly onFailed: (error: unknown) => void
}

/** Size and position of the window, kept in `window.json` under the data directory for the next start. */
export class WindowPlace {
  readonly #options: WindowPlaceOptions
  readonly #file: ReturnType<typeof createJsonFile<Place | undefined>>
  #known: string | undefined
  #window: PlacedWindow | undefined
  /** The last one; the file is written in order. */
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

  /** Puts the window where it was and remembers where it goes. Resolves when it may be shown, soon and whatever happens. */
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

  /** Keeps the place where the window is now; resolves when that is done. */
  written(): Promise<void> {
    if (this.#window !== undefined) this.#keep(this.#window)
    return this.#writing
  }

  async #read(): Promise<Place | undefined> {
    const late = new Promise<undefined>((resolve) => {
      this.#options.after(longestReadMs, () => {
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
    // Before it is shown, it is not the person who has put it somewhere.
    if (window.isDestroyed() || !window.isVisible()) return
    const { x, y, width, height } = window.getNormalBounds()
    const place: Place = { x, y, width, height, maximised: window.isMaximized() }
    const known = JSON.stringify(place)
    if (known === this.#known) return
    this.#known = known
    this.#writing = this.#file.write(place).catch(this.#options.onFailed)
  }
}

function restore(window: PlacedWindow, { maximised, ...area }: Place): void {
  window.setBounds(area)
  if (!maximised) return
  // To maximise a window shows it.
  if (window.isVisible()) window.maximize()
  else
    window.once('show', () => {
      window.maximize()
    })
}
