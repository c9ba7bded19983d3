import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { makeOwnFolder } from '../../platform/storage/own-folder'
import { readRegularFileSync } from '../../platform/storage/regular-file'
import { isRunning } from '../../platform/storage/file-lock'
import { watchFile } from './watch-file'

/** The address at which a holder of the tunnel listens. */
export interface TunnelAddress {
  readonly path: string
  /** A secret that holder and clients prove to each other to know, if other users can reach the path too. */
  readonly key?: string
}

/** Publishes and finds the address of the tunnel's holder for a data directory. */
export interface TunnelPlace {
  /** Returns the holder's address, if there is one. */
  find(): TunnelAddress | undefined
  /** Throws `data/unwritable` if another user could listen instead of a holder. */
  check(): void
  /** Returns an address for a new holder. Call it in one process at a time, when nobody holds the tunnel. */
  create(): TunnelAddress
  /** Makes the address known to other processes. Throws the system's error. */
  publish(address: TunnelAddress): void
  withdraw(): void
  /** Calls back when a holder comes or goes; returns undefined if the system can't report it. */
  watch(onChange: () => void): (() => void) | undefined
}

/** Returns the place for this system. */
export function tunnelPlace(dataDir: string): TunnelPlace {
  return process.platform === 'win32' ? windowsPlace(dataDir) : unixPlace(dataDir)
}

/** Returns a place with a socket in the data directory, which only its owner may write to. */
function unixPlace(dataDir: string): TunnelPlace {
  const path = join(dataDir, 'tunnel.sock')
  return {
    find: () => ({ path }),
    check: () => {
      makeOwnFolder(dataDir)
    },
    create: () => {
      // A killed process leaves its socket.
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
 * Returns a place with a named pipe. Any user of the computer can create pipes and see their names. So each holder chooses a
 * random name and key, and stores them in a file of the data directory for its owner only. Nobody else can take the name
 * beforehand, and whoever takes it afterwards doesn't know the key.
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
        // The pipe of a killed process may belong to anyone.
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

/** Returns the proof of `holder` or `client` that it knows the key, for this nonce. */
export function proofOf(key: string, by: 'holder' | 'client', nonce: string): string {
  return createHmac('sha256', key).update(`${by}:${nonce}`).digest('hex')
}

/** Compares proofs in constant time. */
export function isProof(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The limit for socket paths, with the terminating zero, is 104 bytes on macOS and 108 on Linux. */
const maxSocketPathBytes = 103

/**
 * Returns a path to the socket that is short enough for the system, valid until `remove`. A path that is too long goes
 * through a link in a new folder for the owner only, with a random name. Throws the system's error.
 */
export function shortPath(path: string): { readonly path: string; remove(): void } {
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return { path, remove: () => undefined }
  const folder = mkdtempSync('/tmp/causeway-')
  symlinkSync(dirname(path), join(folder, 'd'))
  return {
    path: join(folder, 'd', basename(path)),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
