import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Calls back when a file is created or removed. Returns a function that stops watching, or undefined if the system can't
 * watch (missing folder, named pipe, no watches left).
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
  // The folder was removed.
  watcher.on('error', () => {
    watcher.close()
  })
  return () => {
    watcher.close()
  }
}
