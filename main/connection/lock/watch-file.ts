import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Calls back when a file is made or removed, as the system tells. Returns how to stop it, or undefined where the system
 * cannot tell (a folder that is not there, a named pipe, no more watches to be had).
 */
export function watchFile(path: string, onChange: () => void): (() => void) | undefined {
  let watcher: FSWatcher
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(path)) onChange()
    })
  } catch {
    return undefined
  }
  // The folder is gone, and with it whoever was there.
  watcher.on('error', () => {
    watcher.close()
  })
  return () => {
    watcher.close()
  }
}
