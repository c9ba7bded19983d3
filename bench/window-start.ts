import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electronPath, switches } from '../e2e/causeway-app'
import { median } from './median'
import { timeToInteractive } from './window-launch'

export interface WindowStart {
  readonly runs: number
  /** Medians from spawn until the window can be used, in milliseconds. */
  readonly ms: { readonly empty: number; readonly causeway: number }
  /** The median of the ratios within each round; 1 is as fast as an empty window. */
  readonly ratio: number
}

const emptyMain = `
const { app, BrowserWindow } = require('electron')
void app.whenReady().then(() => {
  new BrowserWindow({ width: 1000, height: 720 }).loadURL('data:text/html,<!doctype html><button>Empty</button>')
})
`

/**
 * Compares the start of the built app, on its first start's view, with that of an Electron that opens an empty window,
 * taking turns.
 *
 * @param tree where the app and its build are
 * @param folder for files of its own
 */
export async function compareWindowStart(tree: string, folder: string, runs: number): Promise<WindowStart> {
  const empty = join(folder, 'empty')
  await mkdir(empty, { recursive: true })
  await writeFile(join(empty, 'package.json'), JSON.stringify({ name: 'empty', main: 'index.cjs' }))
  await writeFile(join(empty, 'index.cjs'), emptyMain)
  const start = (app: string): Promise<number> =>
    timeToInteractive(electronPath, [...switches, app], {
      CAUSEWAY_DATA_DIR: join(folder, 'data'),
      CAUSEWAY_LANG: 'en',
      XDG_CONFIG_HOME: join(folder, 'config'),
    })
  const rounds: { empty: number; causeway: number }[] = []
  // The first round warms up caches and is left out.
  for (let run = 0; run <= runs; run += 1) {
    const round = { empty: 0, causeway: 0 }
    const turns = [
      ['empty', empty],
      ['causeway', tree],
    ] as const
    for (const [who, app] of run % 2 === 0 ? turns : turns.toReversed()) round[who] = await start(app)
    if (run > 0) rounds.push(round)
  }
  return {
    runs,
    ms: {
      empty: median(rounds.map((round) => round.empty)),
      causeway: median(rounds.map((round) => round.causeway)),
    },
    ratio: median(rounds.map((round) => round.causeway / round.empty)),
  }
}
