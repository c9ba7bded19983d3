import { once, type EventEmitter } from 'node:events'

/** The subset of Electron's BrowserWindow that is used. */
export interface DrawnWindow extends EventEmitter {
  readonly webContents: EventEmitter
}

export interface DisplayOptions {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** The value of Chromium's switch `ozone-platform`. */
  readonly ozonePlatform: string
}

/** Returns true if the window may be one of Wayland, which Electron chooses itself in such a session. */
export function mayBeWayland({ platform, env, ozonePlatform }: DisplayOptions): boolean {
  if (platform !== 'linux' || ozonePlatform === 'x11') return false
  return ozonePlatform === 'wayland' || (env.WAYLAND_DISPLAY ?? '') !== ''
}

/**
 * Resolves when a hidden window can be shown without flashing. Call it before the page loads. On Wayland, a window that was never
 * shown may not be drawn, and `ready-to-show` never come (electron/electron#48859): there the loaded page has to do.
 */
export async function whenDrawn(window: DrawnWindow, display: DisplayOptions): Promise<void> {
  const drawn = once(window, 'ready-to-show')
  await (mayBeWayland(display) ? Promise.race([drawn, once(window.webContents, 'did-stop-loading')]) : drawn)
}
