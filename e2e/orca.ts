import { once } from 'node:events'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect } from './fixtures'

/** Preferences with speech that is written to a file. */
const given = join(import.meta.dirname, 'orca')

/** Orca, the screen reader of Linux desktops, which has to be started before the app. */
export class Orca {
  readonly #file: string
  readonly #stop: () => Promise<void>
  #read = 0

  private constructor(file: string, stop: () => Promise<void>) {
    this.#file = file
    this.#stop = stop
  }

  /** Starts it, with a file in this folder for what it says. */
  static async start(folder: string): Promise<Orca> {
    const file = join(folder, 'spoken')
    // It adds to them.
    const preferences = join(folder, 'orca')
    await cp(given, preferences, { recursive: true })
    const child = execa('orca', ['--user-prefs', preferences, '--disable', 'braille'], {
      env: { CAUSEWAY_SPOKEN: file, GSETTINGS_BACKEND: 'memory' },
      stdio: 'ignore',
      reject: false,
    })
    const exited = once(child, 'exit')
    const orca = new Orca(file, async () => {
      // It hides the signals that ask it to end behind its own shutdown.
      child.kill('SIGKILL')
      await exited
    })
    await expect.poll(() => orca.#lines(), { timeout: 60_000 }).toContain('Screen reader on.')
    await orca.speech()
    return orca
  }

  async end(): Promise<void> {
    await this.#stop()
  }

  /** Returns what it has said since the last call, once it has been silent for a while and, if given, has said this. */
  async speech(last?: string | RegExp): Promise<readonly string[]> {
    if (last !== undefined)
      await expect
        .poll(async () => (await this.#lines()).slice(this.#read).join('\n'), { timeout: 30_000 })
        .toMatch(last)
    let [before, quiet] = [-1, 0]
    // Nothing tells that nothing more will be said.
    await expect
      .poll(
        async () => {
          const { length } = await this.#lines()
          quiet = length === before ? quiet + 1 : 0
          before = length
          return quiet
        },
        { intervals: [500], timeout: 60_000 },
      )
      .toBeGreaterThan(3)
    const lines = await this.#lines()
    const said = lines.slice(this.#read)
    this.#read = lines.length
    return said
  }

  async #lines(): Promise<readonly string[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }
}
