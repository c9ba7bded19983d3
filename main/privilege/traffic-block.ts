import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Emitter } from '../emitter'
import { readRegularFileSync, replaceFileSync } from '../platform/storage/regular-file'

export interface TrafficBlockOptions {
  /** Of the file that says so; absolute. */
  readonly path: string
  /** What names this start of the computer; the kill switch does not outlive it. Undefined where there is none. */
  readonly bootId: () => string | undefined
}

/**
 * What is known, over runs and by all processes of a data directory, of whether the kill switch blocks traffic: asking
 * the system takes rights.
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

  /** Throws the system's error when it cannot be written down. */
  set(on: boolean): void {
    const { path, bootId } = this.#options
    if (on && this.isOn()) return
    // At once, because this process may be killed at any moment.
    if (on && !this.isOn()) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      replaceFileSync(path, bootId() ?? '')
    } else if (!on) {
      rmSync(path, { force: true })
    }
    this.#changes.emit()
  }

  /** Calls back when this process has set it; returns how to stop it. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }
}

/** Linux gives each start of the computer another one. */
export function linuxBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
