import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'

const folder = join(import.meta.dirname, '..', 'node_modules', 'electron')

/**
 * Makes sure that an Electron binary is here: the one that ELECTRON_OVERRIDE_DIST_PATH names, else the package's own,
 * downloaded at first use. Resolves with undefined, or with why there is none.
 */
export async function missingElectron(): Promise<string | undefined> {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override !== undefined && override !== '') {
    return existsSync(override) ? undefined : `ELECTRON_OVERRIDE_DIST_PATH names no folder: ${override}`
  }
  if (existsSync(join(folder, 'dist', 'version'))) return undefined
  console.log('Fetching the Electron runtime…')
  const download = await execa(process.execPath, [join(folder, 'install.js')], {
    reject: false,
    all: true,
    timeout: 300_000,
  })
  if (!download.failed && existsSync(join(folder, 'dist', 'version'))) return undefined
  const reason = download.all.split('\n').find((line) => /error|ENOTFOUND|ECONN|timed out/i.test(line))
  return `Electron's own download failed${reason === undefined ? '' : ` (${reason.trim()})`}; ELECTRON_OVERRIDE_DIST_PATH can name a folder that holds a runtime`
}
