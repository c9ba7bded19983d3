import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Emitter } from '../emitter'
import { readRegularFileSync, replaceFileSync } from '../platform/storage/regular-file'

interface TrafficBlockOptions {
  /** Absolute path of the file. */
  readonly path: string
  /** Returns the id of the current boot, which the kill switch does not survive; undefined if there is none. */
  readonly bootId: () => string | undefined
}

/**
 * Records if the kill switch blocks traffic, for all runs and processes of a data directory, because querying the system
 * needs rights.
 */
export class TrafficBlock {
  readonly #options: TrafficBlockOptions
  readonly #changes = new Emitter<void>()

  constructor(options: TrafficBlockOptions) {
    this.#options = options
  }

  isOn(): boolean {
    const bootId = this.#options.bootId()
    try {
      return bootId !== undefined && readRegularFileSync(this.#options.path) === bootId
    } catch {
      return false
    }
  }

  /** Throws the system's error if the file cannot be written. */
  set(on: boolean): void {
    const { path, bootId } = this.#options
    if (on && this.isOn()) return
    // Synchronous, because this process may be killed at any moment.
    if (on && !this.isOn()) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      replaceFileSync(path, bootId() ?? '')
    } else if (!on) {
      rmSync(path, { force: true })
    }
    this.#changes.emit()
  }

  /** Calls back after each change by this process; returns a function that stops it. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }
}

/** Returns the system's id of the current boot. */
export function systemBootId(): string | undefined {
  try {
    const text = process.platform === 'darwin' ? macosBootId() : readFileSync(linuxBootId, 'utf8')
    return text.trim() || undefined
  } catch {
    return undefined
  }
}

const linuxBootId = '/proc/sys/kernel/random/boot_id'

let knownBootId: string | undefined

/** Asks once, because it starts a program. */
function macosBootId(): string {
  const { execFileSync } = process.getBuiltinModule('node:child_process')
  knownBootId ??= execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
    encoding: 'utf8',
    timeout: 5000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return knownBootId
}
