import { stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../platform/storage/make-folder'

const dayMs = 24 * 3_600_000

/** Returns true at the first time, and from a day after the last `true` on. The file's own time remembers it; it has no content. */
export async function isFirstOfDay(path: string, now: Date): Promise<boolean> {
  const last = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  const age = last === undefined ? dayMs : now.getTime() - last
  // A clock that was set back must not silence it for years.
  if (age >= 0 && age < dayMs) return false
  // Without the file, such as on a full disk, it is said once more. The first command of all finds no folder yet.
  await makeFolder(dirname(path))
    .then(() => writeFile(path, '', { mode: 0o600 }))
    .catch(() => undefined)
  return true
}
