import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import type { Windows } from './computer'

/** The processes of `causeway-helper.exe` while a tunnel of OpenVPN is up. */
export class HelperProcesses {
  readonly #windows: Windows

  constructor(windows: Windows) {
    this.#windows = windows
  }

  readonly owner = () => this.#windows.processes('causeway-helper.exe', 'exit-event')
  readonly watcher = () => this.#windows.processes('causeway-helper.exe', 'network')

  /**
   * Waits until both run their own code. A Node.js that is killed while it starts a program may leave that program
   * suspended (docs/platforms.md).
   */
  async underWay(): Promise<void> {
    for (const part of [this.owner, this.watcher])
      await expect.poll(async () => (await part()).map(isUnderWay)).toEqual([true])
  }
}

/** Returns true if the helper runs its own code: before, a process has one thread. */
function isUnderWay(id: number): boolean {
  return readdirSync(`/proc/${id}/task`).length > 1
}
