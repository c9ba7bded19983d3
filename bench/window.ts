import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { missingElectron } from '../scripts/electron-runtime'
import { runInPrivateSession } from '../scripts/private-session'
import type { ScriptSize } from './script-size'
import { forms, type WindowStarts } from './window-start'
import type { WindowViews } from './window-views'

interface WindowFigures {
  readonly starts: WindowStarts
  readonly views: WindowViews
  readonly size: ScriptSize
}

/** Builds the app and measures its window in a private session. Throws an Error if there is no Electron runtime. */
export async function benchWindow(folder: string): Promise<WindowFigures> {
  const why = await missingElectron()
  if (why !== undefined) throw new Error(why)
  await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  const file = join(folder, 'window.json')
  const script = join(import.meta.dirname, 'window-process.ts')
  const status = await runInPrivateSession([process.execPath, '--import', 'tsx', script, folder, file], {
    display: true,
  })
  if (status !== 0) throw new Error('The window could not be measured')
  return JSON.parse(await readFile(file, 'utf8')) as WindowFigures
}

/** Prints the figures as tables. */
export function printWindow({ starts, views, size }: WindowFigures): void {
  console.log(
    '\nTime from spawn until the window can be used, medians (goal: a ratio of at most 1.2 installed and 1.25 from source)',
  )
  console.table(
    forms.map((form) => ({
      form,
      runs: starts[form].runs,
      'empty Electron window, ms': starts[form].ms.empty.toFixed(0),
      'Causeway, ms': starts[form].ms.causeway.toFixed(0),
      ratio: starts[form].ratio.toFixed(2),
    })),
  )
  console.log(
    "\nThe page's longest task in each step through its views (goal: at most 50 ms of the processor)",
  )
  console.table(
    views.longest.map(({ during, elapsedMs, processorMs }) => ({
      during,
      'processor, ms': processorMs.toFixed(0),
      'elapsed, ms': elapsedMs.toFixed(0),
    })),
  )
  console.log('\nWhat the first view loads, compressed with gzip (goal: less than 180 kB of script)')
  console.table([
    { 'script, kB': (size.scriptBytes / 1000).toFixed(0), 'styles, kB': (size.styleBytes / 1000).toFixed(0) },
  ])
}
