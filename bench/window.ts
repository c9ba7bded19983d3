import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingElectron } from '../scripts/electron-runtime'
import { runInPrivateSession } from '../scripts/private-session'
import type { Figure } from './figure'

/** `npm run bench -- window`: builds the app and measures its window in a private session. Throws an Error without an Electron runtime. */
export async function benchWindow(folder: string): Promise<Figure[]> {
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`There is no Electron runtime to measure. ${why}.`)
  const file = join(folder, 'window.json')
  const script = join(import.meta.dirname, 'window-process.ts')
  const status = await runInPrivateSession([process.execPath, '--import', 'tsx', script, folder, file], {
    display: true,
  })
  if (status !== 0) throw new Error('The window could not be measured')
  return JSON.parse(await readFile(file, 'utf8')) as Figure[]
}
