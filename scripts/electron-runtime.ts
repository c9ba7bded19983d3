import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

const folder = join(import.meta.dirname, '..', 'node_modules', 'electron')

/** Returns whether there is an Electron runtime, without downloading one. */
export function hasElectron(): boolean {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
  return override === '' ? existsSync(join(folder, 'dist', 'version')) : existsSync(override)
}

/**
 * Ensures that an Electron runtime exists: the one named by ELECTRON_OVERRIDE_DIST_PATH, or else the package's own,
 * downloaded on first use. Returns undefined, or the reason why there is no runtime.
 */
export async function missingElectron(): Promise<string | undefined> {
  if (hasElectron()) return undefined
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
  if (override !== '') return `ELECTRON_OVERRIDE_DIST_PATH names no folder: ${override}`
  console.log('Fetching the Electron runtime…')
  const download = await execa(process.execPath, [join(folder, 'install.js')], {
    reject: false,
    all: true,
    timeout: 300_000,
  })
  if (!download.failed && hasElectron()) return undefined
  const reason = download.all.split('\n').find((line) => /error|ENOTFOUND|ECONN|timed out/i.test(line))
  return `Electron's own download failed${reason === undefined ? '' : ` (${reason.trim()})`}; ELECTRON_OVERRIDE_DIST_PATH can name a folder that holds a runtime`
}

/** Returns the version of the Electron runtime that there is; empty if its folder doesn't say it. */
export async function electronVersion(): Promise<string> {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
  const dist = override === '' ? join(folder, 'dist') : override
  const version = await readFile(join(dist, 'version'), 'utf8').catch(() => '')
  return version.trim().replace(/^v/, '')
}

/** Returns true if windows can open: always on macOS and Windows, on Linux in a graphical session. */
export function hasDisplay(): boolean {
  const { DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '' } = process.env
  return process.platform !== 'linux' || x11 !== '' || wayland !== ''
}
