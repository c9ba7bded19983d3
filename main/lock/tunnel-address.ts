import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CausewayError } from '../errors'

/** Unix sockets have short names: 104 bytes with their end on macOS, 108 on Linux. */
const longestSocketPath = 103

/** Where the holder of the tunnel of a data directory listens. Pure; `makeSocketFolder` makes what it needs. */
export function tunnelAddress(
  dataDir: string,
  { platform, uid }: { readonly platform: NodeJS.Platform; readonly uid: number },
): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
  if (platform === 'win32') return `\\\\.\\pipe\\causeway-${hash}`
  const path = join(dataDir, 'tunnel.sock')
  if (Buffer.byteLength(path) <= longestSocketPath) return path
  return join(sharedFolder(uid), `${hash}.sock`)
}

function sharedFolder(uid: number): string {
  return `/tmp/causeway-${uid}`
}

/**
 * Makes the folder of a socket for its owner alone. Throws `data/unwritable` where it cannot be made, or another
 * user, who could listen in our place, has made it before.
 */
export function makeSocketFolder(folder: string, uid: number): void {
  let reason = 'not-ours'
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid: owner } = lstatSync(folder)
    // Root may work in the data directory of another, but nobody lays one out for it where all may write.
    const trusted = owner === uid || (uid === 0 && folder !== sharedFolder(uid))
    if (trusted && (mode & 0o002) === 0) return
  } catch (cause) {
    reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  }
  throw new CausewayError(
    'data/unwritable',
    `Causeway needs the directory ${folder} for itself. Check that it is yours and that nobody else may write there.`,
    { details: { path: folder, reason } },
  )
}
