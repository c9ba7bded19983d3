import { CausewayError } from '../../errors'
import { isOfOthers } from './data-directory'
import { reasonOf } from './file-system-error'
import { makeFolderSync } from './make-folder'

/**
 * Throws `data/unwritable` if another user owns the folder or may write to it, or if that can't be determined. A missing one
 * will be created for its owner only.
 */
export function requireOwnFolder(folder: string): void {
  if (reportUnsafe(folder, () => isOfOthers(folder))) throw unsafeFolder(folder, 'not-ours')
}

/** Creates the folder for its owner only. Throws `data/unwritable` if that fails, or if another user may write to it. */
export function makeOwnFolder(folder: string): void {
  reportUnsafe(folder, () => {
    makeFolderSync(folder)
  })
  requireOwnFolder(folder)
}

/** Throws `data/unwritable` in place of the system's error. */
function reportUnsafe<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw unsafeFolder(folder, reasonOf(cause), cause)
  }
}

function unsafeFolder(path: string, reason: string, cause?: unknown): CausewayError {
  return new CausewayError('data/unwritable', { variant: 'unsafe-folder', details: { path, reason }, cause })
}
