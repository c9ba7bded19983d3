import { watch } from 'node:fs'

declare global {
  /** Functions that load what each file of the build imports on demand (scripts/late-imports.ts); none without a build. */
  var causewayLateImports: (() => Promise<unknown>)[] | undefined
}

/**
 * Loads the rest of the command once its folder changes: an upgrade of the package writes the files of the new version there
 * before it removes those of the old one, which this process may need hours later. Returns a function that stops watching.
 */
export function loadBeforeUpgrade(): () => void {
  const { causewayLateImports: waiting } = globalThis
  // Electron keeps its archive open.
  if (waiting === undefined || 'electron' in process.versions) return () => undefined
  try {
    const watcher = watch(import.meta.dirname, { persistent: false })
    const stop = () => {
      watcher.close()
    }
    // The package's scripts wait for the end of the watch (build/linux/before-remove).
    watcher.once('change', () => void loadAll(waiting).then(stop))
    watcher.on('error', stop)
    return stop
  } catch {
    // The system has no more watches: nothing will tell.
    void loadAll(waiting)
    return () => undefined
  }
}

async function loadAll(waiting: (() => Promise<unknown>)[]): Promise<void> {
  // What is loaded may import more.
  while (waiting.length > 0) await Promise.all(waiting.splice(0).map((load) => load()))
}
