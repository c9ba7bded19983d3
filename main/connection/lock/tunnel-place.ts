import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { readRegularFileSync } from '../../platform/storage/regular-file'
import { isRunning } from '../../platform/storage/file-lock'
import { watchFile } from './watch-file'

/** Where a holder of the tunnel listens. */
export interface TunnelAddress {
  readonly path: string
  /** A secret that holder and clients prove to each other to know, where others can reach the path too. */
  readonly key?: string
}

/** How the processes that share a data directory find the holder of its tunnel. */
export interface TunnelPlace {
  /** Returns where the holder listens, if there is one. */
  find(): TunnelAddress | undefined
  /** Throws `data/unwritable` where another user could listen in the place of a holder. */
  check(): void
  /** Returns an address for a new holder; to be called by one process at a time, when nobody holds the tunnel. */
  create(): TunnelAddress
  /** Lets others find who listens there. Throws the system's error. */
  publish(address: TunnelAddress): void
  withdraw(): void
  /** Calls back when a holder comes or goes; undefined where the system cannot tell. */
  watch(onChange: () => void): (() => void) | undefined
}

/** The place on this system. */
export function tunnelPlace(dataDir: string): TunnelPlace {
  return process.platform === 'win32'
    ? windowsPlace(dataDir)
    : unixPlace(dataDir, { uid: process.getuid?.() ?? 0 })
}

/** A socket in the data directory, which only its owner may write. */
export function unixPlace(dataDir: string, { uid }: { readonly uid: number }): TunnelPlace {
  const path = join(dataDir, 'tunnel.sock')
  return {
    find: () => ({ path }),
    check: () => {
      checkFolder(dataDir, uid)
    },
    create: () => {
      // Left by a process that was killed.
      rmSync(path, { force: true })
      return { path }
    },
    publish: () => undefined,
    withdraw: () => undefined,
    watch: (onChange) => watchFile(path, onChange),
  }
}

const pipeEntry = z.object({
  pid: z.int().positive(),
  pipe: z.string().regex(/^[0-9a-f]{32}$/),
  key: z.string().regex(/^[0-9a-f]{64}$/),
})

/**
 * A named pipe, which any user of the computer could make, and whose name all can see. So each holder makes up a name and
 * a key, and tells them in a file of the data directory for its owner alone: nobody else can take the name beforehand, and
 * whoever takes it afterwards does not know the key.
 */
export function windowsPlace(
  dataDir: string,
  { pipePrefix = '\\\\.\\pipe\\causeway-' }: { readonly pipePrefix?: string } = {},
): TunnelPlace {
  const file = join(dataDir, 'tunnel.json')
  return {
    find: () => {
      try {
        const { pid, pipe, key } = pipeEntry.parse(JSON.parse(readRegularFileSync(file)))
        // Of a process that was killed the pipe may belong to anybody.
        return isRunning(pid) ? { path: `${pipePrefix}${pipe}`, key } : undefined
      } catch {
        return undefined
      }
    },
    check: () => undefined,
    create: () => ({
      path: `${pipePrefix}${randomBytes(16).toString('hex')}`,
      key: randomBytes(32).toString('hex'),
    }),
    publish: ({ path, key }) => {
      const entry = { pid: process.pid, pipe: path.slice(pipePrefix.length), key }
      writeFileAtomic.sync(file, JSON.stringify(entry), { mode: 0o600 })
    },
    withdraw: () => {
      rmSync(file, { force: true })
    },
    watch: () => undefined,
  }
}

/** Returns what proves the knowledge of the key to who asked with this nonce, to `holder` or `client`. */
export function proofOf(key: string, by: 'holder' | 'client', nonce: string): string {
  return createHmac('sha256', key).update(`${by}:${nonce}`).digest('hex')
}

/** Compares two proofs, of which `given` comes from somebody else. */
export function isProof(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Unix sockets have short names: 104 bytes with their end on macOS, 108 on Linux. */
const longestSocketPath = 103

/**
 * Returns a path to the socket that the system takes, which is good until `remove`. One that is too long is reached through
 * a link in a new folder for the owner alone, whose name nobody can know beforehand. Throws the system's error.
 */
export function shortPath(path: string): { readonly path: string; remove(): void } {
  if (Buffer.byteLength(path) <= longestSocketPath) return { path, remove: () => undefined }
  const folder = mkdtempSync('/tmp/causeway-')
  symlinkSync(dirname(path), join(folder, 'd'))
  return {
    path: join(folder, 'd', basename(path)),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes the folder for its owner alone. Throws `data/unwritable` where it cannot be made, or is another user's. */
function checkFolder(folder: string, uid: number): void {
  let reason = 'not-ours'
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid: owner } = lstatSync(folder)
    // Root may work in the data directory of another.
    if ((owner === uid || uid === 0) && (mode & 0o002) === 0) return
  } catch (cause) {
    reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  }
  throw new CausewayError(
    'data/unwritable',
    `Causeway can't use the folder ${folder}. Check that you own it and that no other user can write to it.`,
    { details: { path: folder, reason } },
  )
}
