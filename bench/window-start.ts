import { existsSync } from 'node:fs'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { electronPath, switches } from '../e2e/causeway-app'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'
import { launchWindow } from './window-launch'

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

/**
 * Compares the start of the built app, in the state of a first start, with an Electron that opens an empty window,
 * taking turns. Works on Windows and Linux, where copying an app into a runtime installs it.
 *
 * @param tree folder of the app and its build
 * @param folder folder for temporary files
 */
export async function compareWindowStarts(tree: string, folder: string, runs: number): Promise<Figure[]> {
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
  return [
    ...(await compare(folder, runs, 'installed', 1.15, {
      empty: [installed.empty, []],
      causeway: [installed.causeway, []],
    })),
    ...(await compare(folder, runs, 'from source', 1.25, {
      empty: [runtime, [empty]],
      causeway: [runtime, [tree]],
    })),
  ]
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
  form: string,
  atMost: number,
  starts: Readonly<Record<'empty' | 'causeway', Start>>,
): Promise<Figure[]> {
  // Like a start from the desktop: no options, and a new account.
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    APPDATA: join(folder, 'config'),
    LC_ALL: 'en_US.UTF-8',
  }
  const start = ([program, args]: Start, stayMs: number) =>
    launchWindow(program, [...switches, ...args], env, stayMs)
  const memory = { empty: [] as number[], causeway: [] as number[] }
  for (let run = 0; run < warmUps; run += 1)
    for (const who of ['empty', 'causeway'] as const)
      memory[who].push((await start(starts[who], warmUpMs)).bytes / 1e6)
  const { empty, causeway } = await takeTurns(runs, {
    empty: async () => (await start(starts.empty, 0)).ms,
    causeway: async () => (await start(starts.causeway, 0)).ms,
  })
  return [
    {
      what: `start of the window, ${form}`,
      unit: 'ms',
      own: causeway,
      beside: { what: 'an empty window', values: empty },
      goal: { atMost },
      why: 'an empty window has no scripts of main and of the page to compile and run. A cache of those of main would save a third of its work, but would have to be in a folder that every program of the user can change.',
    },
    {
      what: `memory of all processes, ${form}`,
      unit: 'MB',
      own: memory.causeway,
      beside: { what: 'an empty window', values: memory.empty },
    },
  ]
}
