import { CausewayError } from '../../errors'
import { reasonOf } from './file-system-error'
import { readRegularFile } from './regular-file'

/** Returns the error for a file that can't be read. */
export function unreadable(path: string, cause: unknown): CausewayError {
  return new CausewayError('data/unreadable', { details: { path, reason: reasonOf(cause) }, cause })
}

/** Returns the error for a file that can't be written. */
export function unwritable(path: string, cause: unknown): CausewayError {
  return new CausewayError('data/unwritable', { details: { path, reason: reasonOf(cause) }, cause })
}

/** Returns the content of a file; undefined if there is none. Throws `data/unreadable`. */
export async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path)
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') return undefined
    throw unreadable(path, cause)
  }
}
