import { createRequire } from 'node:module'
import { codeOf } from '../errors'

interface Statement {
  all(...parameters: string[]): unknown[]
  run(...parameters: string[]): unknown
}

/** The methods that Node's own SQLite and libsql share. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

type DatabaseClass = new (path: string) => SqliteDatabase

/** Result code of SQLite for a locked database. */
const busy = 5

/** Returns the SQLite of Node (22.13 and newer); undefined if this Node has none. */
function sqliteOfNode(): DatabaseClass | undefined {
  const module = process.getBuiltinModule('node:sqlite') as { DatabaseSync: DatabaseClass } | undefined
  return module?.DatabaseSync
}

/** Returns libsql; undefined if it isn't installed beside the mock or has no binary for this machine. */
function libsql(): DatabaseClass | undefined {
  try {
    return createRequire(import.meta.url)('libsql') as DatabaseClass
  } catch {
    return undefined
  }
}

/** Error for a Node without SQLite. */
export class NoSqlite extends Error {
  override name = 'NoSqlite'

  constructor() {
    super(
      `Node ${process.versions.node} has no SQLite, which a data directory needs. Use Node 22.13 or newer, or run ` +
        '`npm install libsql`.',
    )
  }
}

/** Opens a database file, which is created if missing. Throws NoSqlite if there is no SQLite. */
export function openDatabase(path: string): SqliteDatabase {
  const Database = sqliteOfNode() ?? libsql()
  if (Database === undefined) throw new NoSqlite()
  return new Database(path)
}

/** Returns true for the error of a database that another process has locked. */
export function isBusy(error: unknown): boolean {
  const isNodes = typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === busy
  return isNodes || codeOf(error) === 'SQLITE_BUSY'
}
