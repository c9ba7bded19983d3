import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMockServer } from '../mock-server/server'
import type { Figure } from './figure'
import { measureScripts } from './script-size'
import { compareWindowStarts } from './window-start'
import { measureViews } from './window-views'

/**
 * Measures the window in a session with a display, and writes its figures as JSON. Arguments: a folder for its files,
 * and the output file.
 */
const [folder = '', file = ''] = process.argv.slice(2)
const tree = join(import.meta.dirname, '..')
const starts = await compareWindowStarts(tree, folder, 15)
const server = await createMockServer({ autoApprove: true, tunnel: 'none' })
try {
  const longest = await measureViews(tree, folder, server)
  const { scriptBytes, styleBytes } = await measureScripts(tree)
  const figures: Figure[] = [
    ...starts,
    ...longest.map(({ during, processorMs }): Figure => ({
      what: `longest task of the page: ${during}`,
      unit: 'ms',
      own: [processorMs],
      goal: { atMost: 50 },
    })),
    {
      what: 'script of the first view, compressed',
      unit: 'kB',
      own: [scriptBytes / 1000],
      goal: { atMost: 140 },
      why: 'react-dom, Mantine and i18next are 414 of its 585 kB before compression.',
    },
    { what: 'styles of the first view, compressed', unit: 'kB', own: [styleBytes / 1000] },
  ]
  await writeFile(file, JSON.stringify(figures))
} finally {
  await server.close()
}
