import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { _electron, expect, type ElectronApplication } from '@playwright/test'
import { z } from 'zod'
import { CausewayWindow } from './causeway-window'

/** Path of the Electron program, which its package exports outside Electron. */
export const electronPath = z.string().parse(createRequire(import.meta.url)('electron'))

/** Chromium refuses to start its sandbox as root. A virtual display has no graphics card. */
export const switches = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu']

/** An installed app chooses the feature itself (main/index.ts), which is too late here. */
const fromSource = ['--enable-features=NetworkServiceInProcess2', '.']

export interface AppOptions {
  readonly dataDir: string
  /** For `--browser`. */
  readonly browser: string
  /** Program to start instead of Electron with the app's folder. */
  readonly installed?: string
  /** For `--lang`. `system` uses the setting and the system's language, which is English here. Default `en`. */
  readonly language?: string
  readonly env?: Readonly<Record<string, string>>
  /** More switches of Chromium, such as the one for Wayland. */
  readonly switches?: readonly string[]
  /** Who answers the app's questions in dialogs of the system; `nobody` shows them. Default `agrees`. */
  readonly dialogs?: 'agrees' | 'nobody'
  /** A `causeway:` link to start with. */
  readonly link?: string
}

/** The running app with its window. */
export interface RunningApp {
  readonly electron: ElectronApplication
  readonly window: CausewayWindow
  readonly pid: number
  isRunning(): boolean
  /** Returns everything it wrote to standard output and standard error. */
  output(): string
  /** Quits the app and resolves when its process has ended. */
  quit(): Promise<void>
}

/** Returns the environment for the app. */
export function appEnvironment({
  dataDir,
  browser,
  language = 'en',
  env,
}: AppOptions): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    ...Object.fromEntries(inherited),
    CAUSEWAY_DATA_DIR: dataDir,
    CAUSEWAY_BROWSER: browser,
    ...(language === 'system' ? { LANGUAGE: 'en' } : { CAUSEWAY_LANG: language }),
    ...env,
  }
}

/** Starts the built app and waits for its window. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { installed } = options
  const electron = await _electron.launch({
    executablePath: installed ?? electronPath,
    args: [
      ...switches,
      ...(options.switches ?? []),
      ...(installed === undefined ? fromSource : []),
      ...(options.link === undefined ? [] : [options.link]),
    ],
    env: appEnvironment(options),
  })
  const child = electron.process()
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')))
  }
  let running = true
  child.once('exit', () => {
    running = false
  })
  const window = await firstWindow(electron).catch(async (error: unknown) => {
    await electron.close()
    throw error
  })
  if (options.dialogs !== 'nobody') await agreeInDialogs({ electron })
  return {
    electron,
    window,
    pid: child.pid ?? 0,
    isRunning: () => running,
    output: () => written.join(''),
    quit: async () => {
      if (running) await electron.close()
    },
  }
}

/** Has the user agree to everything that the app asks in system dialogs from now on. */
export async function agreeInDialogs({ electron }: Pick<RunningApp, 'electron'>): Promise<void> {
  const agreed = electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
  // V8 may collect the promise of a call before the inspector has seen that it is settled: the function has run.
  await agreed.catch((error: unknown) => {
    if (!String(error).includes('promise was garbage collected')) throw error
  })
}

/** Makes the window wide enough for a list with its details beside it, which the default window is not. */
export async function widen(app: RunningApp): Promise<void> {
  await setWidth(app, 1240)
}

/** Sets the width of the window's content, in CSS pixels. */
export async function setWidth({ electron, window: { page } }: RunningApp, width: number): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, to) => {
    for (const window of BrowserWindow.getAllWindows()) window.setContentSize(to, 720)
  }, width)
  await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
}

/** A script for the page, which resolves when what was sent is drawn: the frame's own tasks come first. */
export const drawn = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))'

/** Slices of the state, as main sends them. */
export type Slices = Readonly<Record<string, unknown>>

/** Sends the page these slices, in place of main. */
export async function sendState(electron: ElectronApplication, slices: Slices): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, changed) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('causeway:state-changed', changed)
  }, slices)
}

/**
 * Sends the page these states one after another, and returns what a script finds there, by their names. Each state has the same
 * slices; as from main, only those arrive that change.
 */
export async function lookInEachState<Found>(
  { electron }: RunningApp,
  states: Readonly<Record<string, Slices>>,
  script: string,
): Promise<readonly (readonly [state: string, found: Found])[]> {
  const names = Object.keys(states)
  const found = await electron.evaluate(
    async ({ BrowserWindow }, { all, look }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (contents === undefined) throw new Error('There is no window.')
      const seen: unknown[] = []
      for (const slices of all) {
        contents.send('causeway:state-changed', slices)
        seen.push(await contents.executeJavaScript(look))
      }
      return seen
    },
    { all: changesOf(Object.values(states)), look: `${drawn}.then(() => ${script})` },
  )
  return names.map((name, index) => [name, found[index] as Found])
}

/** Returns the slices of each state that differ from those of the one before. */
function changesOf(states: readonly Slices[]): readonly Slices[] {
  return states.map((slices, index) => {
    const before = states[index - 1] ?? {}
    return Object.fromEntries(
      Object.entries(slices).filter(([name, slice]) => !isDeepStrictEqual(slice, before[name])),
    )
  })
}

async function firstWindow(electron: ElectronApplication): Promise<CausewayWindow> {
  const page = await electron.firstWindow()
  page.setDefaultTimeout(15_000)
  await expect(page.getByRole('navigation')).toBeVisible()
  return new CausewayWindow(page)
}
