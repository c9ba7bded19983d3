import { lstatSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../json'
import { askWindowsHelper, type WindowsHelper, windowsHelper } from '../platform/child-process/windows-helper'

/** Where whoever raises the kill switch notes that it is up. Only administrators may write there. */
export interface KillSwitchRecord {
  /** Answers at once, from what is known. */
  isThere(): boolean
  /** Reads it, where another program has to be asked. */
  read(): Promise<void>
  /** Calls back when it changes. */
  watch(onChange: () => void): RecordWatch
}

interface RecordWatch {
  /** Looks for it again, because it was there or gone without a call. */
  again(): void
  close(): void
}

/** A file of root's. */
export class FileRecord implements KillSwitchRecord {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  isThere(): boolean {
    try {
      return lstatSync(this.path, { throwIfNoEntry: false }) !== undefined
    } catch {
      // What can't be seen may be there: `TrafficBlock` tries a packet.
      return true
    }
  }

  read(): Promise<void> {
    return Promise.resolve()
  }

  watch(onChange: () => void): RecordWatch {
    let stop: (() => void) | undefined
    const again = () => {
      stop?.()
      stop = this.#watchOnce(() => {
        again()
        onChange()
      })
    }
    again()
    return { again, close: () => stop?.() }
  }

  /** Only root may list the record's folder, so others learn by this that the record goes, and by `check` that it is there. */
  #watchOnce(onChange: () => void): (() => void) | undefined {
    for (const path of [this.path, dirname(this.path)]) {
      try {
        const watcher = watch(path, { persistent: false }, onChange)
        watcher.on('error', () => {
          watcher.close()
        })
        return () => {
          watcher.close()
        }
      } catch {
        // Missing, or not for this user.
      }
    }
    return undefined
  }
}

const state = z.object({ recorded: z.boolean(), own: z.boolean() })

/** What Causeway's service has noted in the registry, which Causeway's helper reads. */
export class ServiceRecord implements KillSwitchRecord {
  readonly #helper: WindowsHelper
  #isThere = false

  constructor(helper = windowsHelper) {
    this.#helper = helper
  }

  isThere(): boolean {
    return this.#isThere
  }

  async read(): Promise<void> {
    const found = await askWindowsHelper(state, this.#helper('kill-switch'))
    // Otherwise what was last known is the best guess.
    if (found !== undefined) this.#isThere = found.recorded
  }

  watch(onChange: () => void): RecordWatch {
    const closing = new AbortController()
    void this.#follow(onChange, closing.signal)
    return {
      again: () => undefined,
      close: () => {
        closing.abort()
      },
    }
  }

  /** Follows the helper's answers. It ends with its standard input, which ends with this process, and keeps no process alive. */
  async #follow(onChange: () => void, signal: AbortSignal): Promise<void> {
    const [{ spawn }, { createInterface }] = await Promise.all([
      import('node:child_process'),
      import('node:readline'),
    ])
    if (signal.aborted) return
    const [program, ...words] = this.#helper('kill-switch')
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
    child.on('error', () => undefined).unref()
    for (const stream of [child.stdin, child.stdout]) if ('unref' in stream) (stream.unref as () => void)()
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      const found = state.safeParse(parseJson(line)).data
      if (found === undefined || found.recorded === this.#isThere || signal.aborted) return
      this.#isThere = found.recorded
      onChange()
    })
    signal.addEventListener('abort', () => {
      child.stdin.destroy()
      lines.close()
      child.stdout.destroy()
    })
  }
}
