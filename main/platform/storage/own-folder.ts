import { mkdirSync } from 'node:fs'
import { CausewayError } from '../../errors'
import { isOfOthers } from './data-directory'

/** Throws `data/unwritable` if another user owns the folder or may write to it. A missing one will be created for its owner only. */
export function requireOwnFolder(folder: string): void {
  if (isOfOthers(folder)) throw unsafeFolder(folder, 'not-ours')
}

/** Creates the folder for its owner only. Throws `data/unwritable` if that fails, or if another user may write to it. */
export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unsafeFolder(folder, cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown')
  }
  requireOwnFolder(folder)
}

function unsafeFolder(path: string, reason: string): CausewayError {
  return new CausewayError('data/unwritable', { variant: 'unsafe-folder', details: { path, reason } })
}
