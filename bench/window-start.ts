import { existsSync } from 'node:fs'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { electronPath, switches } from '../e2e/causeway-app'
import { median } from './median'
import { timeToInteractive } from './window-launch'

interface WindowStart {
  readonly runs: number
  /** Medians from spawn until the window is interactive, in milliseconds. */
  readonly ms: { readonly empty: number; readonly causeway: number }
  /** Median of the ratios within each round; 1 is as fast as an empty window. */
  readonly ratio: number
}

/** Number and duration of the starts after which Chromium caches compiled scripts. */
const warmUps = 3
const warmUpMs = 2000

const emptyMain = `
const { app, BrowserWindow } = require('electron')
void app.whenReady().then(() => {
  new BrowserWindow({ width: 1000, height: 720 }).loadURL('data:text/html,<!doctype html><button>Empty</button>')
})
`

/**
 * For a runtime without Electron's own loader. Like that one, it has Electron wait for the app: what an app does before
 * Electron is ready takes effect.
 */
const loader = `
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
Object.defineProperty(process, 'defaultApp', { value: true })
const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')))
const { name, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
app.name = name
app.setAppPath(folder)
await import(pathToFileURL(join(folder, main)).href)
`

/** Ways to start an app: installed, in its own runtime, or as `electron FOLDER`. */
export const forms = ['installed', 'from source'] as const
export type WindowStarts = Readonly<Record<(typeof forms)[number], WindowStart>>

/**
 * Compares the start of the built app, in the state of a first start, with an Electron that opens an empty window,
 * taking turns. Works on Windows and Linux, where copying an app into a runtime installs it.
 *
 * @param tree folder of the app and its build
 * @param folder folder for temporary files
 */
export async function compareWindowStarts(tree: string, folder: string, runs: number): Promise<WindowStarts> {
  const empty = join(folder, 'empty')
  await mkdir(empty, { recursive: true })
  await writeFile(join(empty, 'package.json'), JSON.stringify({ name: 'empty', main: 'index.cjs' }))
  await writeFile(join(empty, 'index.cjs'), emptyMain)
  const installed = {
    empty: await install(join(folder, 'installed-empty'), empty, ['package.json', 'index.cjs']),
    causeway: await install(join(folder, 'installed'), tree, [
      'package.json',
      'out',
      'build/icons',
      'node_modules',
    ]),
  }
  const runtime = await runtimeWithLoader(join(folder, 'runtime'))
  return {
    installed: await compare(folder, runs, {
      empty: [installed.empty, []],
      causeway: [installed.causeway, []],
    }),
    'from source': await compare(folder, runs, {
      empty: [runtime, [empty]],
      causeway: [runtime, [tree]],
    }),
  }
}

/** Copies the runtime with these parts of the app; returns the path of the program that starts the app. */
async function install(folder: string, app: string, parts: readonly string[]): Promise<string> {
  const { program, inside } = await copyRuntime(folder)
  for (const part of parts) {
    await mkdir(dirname(join(inside, part)), { recursive: true })
    await symlink(join(app, part), join(inside, part))
  }
  return program
}

/** Returns the path of the program that starts `electron FOLDER` as Electron does. */
async function runtimeWithLoader(folder: string): Promise<string> {
  if (existsSync(join(dirname(electronPath), 'resources', 'default_app.asar'))) return electronPath
  const { program, inside } = await copyRuntime(folder)
  await writeFile(join(inside, 'package.json'), JSON.stringify({ name: 'loader', main: 'index.mjs' }))
  await writeFile(join(inside, 'index.mjs'), loader)
  return program
}

/** Copies the runtime without its app; returns the paths of its program and of the new app's folder. */
async function copyRuntime(folder: string): Promise<{ readonly program: string; readonly inside: string }> {
  await cp(dirname(electronPath), folder, { recursive: true })
  const inside = join(folder, 'resources', 'app')
  await rm(inside, { recursive: true, force: true })
  await mkdir(inside)
  return { program: join(folder, basename(electronPath)), inside }
}

type Start = readonly [program: string, args: readonly string[]]

async function compare(
  folder: string,
  runs: number,
  starts: Readonly<Record<'empty' | 'causeway', Start>>,
): Promise<WindowStart> {
  // Like a start from the desktop: no options, and a new account.
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    APPDATA: join(folder, 'config'),
    LC_ALL: 'en_US.UTF-8',
  }
  const start = ([program, args]: Start, stayMs: number): Promise<number> =>
    timeToInteractive(program, [...switches, ...args], env, stayMs)
  const rounds: { empty: number; causeway: number }[] = []
  for (let run = -warmUps; run < runs; run += 1) {
    const round = { empty: 0, causeway: 0 }
    const turns = ['empty', 'causeway'] as const
    for (const who of run % 2 === 0 ? turns : turns.toReversed())
      round[who] = await start(starts[who], run < 0 ? warmUpMs : 0)
    if (run >= 0) rounds.push(round)
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
