import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { codeOf } from '../errors'
import { type Persistence, Single } from './collection'

/** Stores nothing: without `--data-dir`, data ends with the process. */
export const inMemory: Persistence = {
  load: () => [],
  put: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
  together: (write) => write(),
  close: () => undefined,
}

/** libsql has the same class. */
type DatabaseClass = typeof DatabaseSync

const busy = 5

/** Returns libsql; undefined if it isn't installed beside the mock or has no binary for this machine. */
function libsql(): DatabaseClass | undefined {
  try {
    return createRequire(import.meta.url)('libsql') as DatabaseClass
  } catch {
    return undefined
  }
}

function isBusy(error: unknown): boolean {
  const isNodes = typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === busy
  return isNodes || codeOf(error) === 'SQLITE_BUSY'
}

const schema = `
  create table if not exists rows (
    collection text not null,
    key text not null,
    json text not null,
    primary key (collection, key)
  ) without rowid, strict`

function set(database: DatabaseSync, ...pragmas: string[]): void {
  for (const pragma of pragmas) database.prepare(`pragma ${pragma}`).all()
}

function open(Database: DatabaseClass, directory: string): DatabaseSync {
  const database = new Database(join(directory, 'mock.sqlite'))
  try {
    // `exclusive` makes a second mock on the same directory fail; `full` writes to disk before a request is answered.
    set(database, 'locking_mode = exclusive', 'journal_mode = wal', 'synchronous = full')
    database.exec(schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Makes a folder and those above it. Node's own `recursive` never ends below /proc. */
function makeFolder(path: string): void {
  const above = dirname(path)
  if (above !== path && !existsSync(above)) makeFolder(above)
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
}

/** Stores rows in `mock.sqlite`, at once and on disk. Throws an Error if the directory is unusable or in use. */
export function inDirectory(directory: string): Persistence {
  makeFolder(directory)
  // Node has SQLite since 22.13.
  const ofNode = process.getBuiltinModule('node:sqlite') as { DatabaseSync: DatabaseClass } | undefined
  const Database = ofNode?.DatabaseSync ?? libsql()
  if (Database === undefined) {
    throw new Error(
      `Node ${process.versions.node} has no SQLite, which a data directory needs. Use Node 22.13 or newer, or run ` +
        '`npm install libsql`.',
    )
  }
  let database: DatabaseSync
  try {
    database = open(Database, directory)
  } catch (error) {
    const reason = isBusy(error)
      ? 'Another mock server is using it.'
      : 'Its mock.sqlite is damaged or may not be written. Empty the directory to start over.'
    throw new Error(`The data directory ${directory} cannot be used. ${reason}`, { cause: error })
  }
  const select = database.prepare('select key, json from rows where collection = ? order by key')
  const upsert = database.prepare(
    'insert into rows values (?, ?, ?) on conflict (collection, key) do update set json = excluded.json',
  )
  const remove = database.prepare('delete from rows where collection = ? and key = ?')
  const clear = database.prepare('delete from rows where collection = ?')
  let isInTransaction = false
  return {
    load: (collection) =>
      (select.all(collection) as { key: string; json: string }[]).map(({ key, json }) => [key, json]),
    put: (collection, key, value) => {
      upsert.run(collection, key, JSON.stringify(value))
    },
    remove: (collection, key) => {
      remove.run(collection, key)
    },
    clear: (collection) => {
      clear.run(collection)
    },
    together: (write) => {
      if (isInTransaction) return write()
      database.exec('begin')
      isInTransaction = true
      try {
        const result = write()
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      } finally {
        isInTransaction = false
      }
    },
    close: () => {
      // Prepared statements keep the connection and its lock until they are garbage-collected, so release the lock
      // first.
      set(database, 'journal_mode = delete', 'locking_mode = normal', 'user_version')
      database.close()
    },
  }
}

/** Opens the state, in a directory or in memory. A directory keeps its seed; throws an Error for another one. */
export function openState(options: { dataDir?: string | undefined; seed?: number | undefined }): {
  persistence: Persistence
  seed: number
} {
  const persistence = options.dataDir === undefined ? inMemory : inDirectory(options.dataDir)
  const stored = new Single(persistence, 'seed', z.int().nullable(), null)
  const seed = stored.get() ?? options.seed ?? 1
  if (options.seed !== undefined && options.seed !== seed) {
    persistence.close()
    throw new Error(
      `The data directory was made with --seed ${seed}. Leave --seed out, or use another directory.`,
    )
  }
  stored.set(seed)
  return { persistence, seed }
}
