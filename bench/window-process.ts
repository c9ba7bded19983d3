import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMockServer } from '../mock-server/server'
import { measureScripts } from './script-size'
import { compareWindowStarts } from './window-start'
import { measureViews } from './window-views'

/**
 * Measures the window in a session with a display, and writes the results as JSON. Arguments: a folder for its files,
 * and the output file.
 */
const [folder = '', file = ''] = process.argv.slice(2)
const tree = join(import.meta.dirname, '..')
const starts = await compareWindowStarts(tree, folder, 15)
const server = await createMockServer({ autoApprove: true, tunnel: 'none' })
try {
  const views = await measureViews(tree, folder, server)
  await writeFile(file, JSON.stringify({ starts, views, size: await measureScripts(tree) }))
} finally {
  await server.close()
}
