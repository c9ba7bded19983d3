import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import type { Persistence } from './persistence'

const schema = `
  create table if not exists rows (
    collection text not null,
    key text not null,
    json text not null,
    primary key (collection, key)
  ) without rowid, strict`

function open(directory: string): Database.Database {
  const database = new Database(join(directory, 'mock.sqlite'))
  try {
    // Exclusive, so that a second mock on the same directory fails at its start. Full: what was answered is on the disk.
    for (const pragma of ['locking_mode = exclusive', 'journal_mode = wal', 'synchronous = full']) {
      database.pragma(pragma)
    }
    database.exec(schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Keeps rows in `mock.sqlite` in a directory, which is made when it is missing. A row is on the disk when the call that
 * wrote it returns. Throws when the directory cannot be used, or another mock uses it.
 */
export function inDirectory(directory: string): Persistence {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let database: Database.Database
  try {
    database = open(directory)
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
    const reason = isBusy
      ? 'Another mock server is using it.'
      : 'Its mock.sqlite is damaged or may not be written. Empty the directory to start anew.'
    throw new Error(`The data directory ${directory} cannot be used. ${reason}`, { cause: error })
  }
  const select = database.prepare('select key, json from rows where collection = ? order by key')
  const upsert = database.prepare(
    'insert into rows values (?, ?, ?) on conflict (collection, key) do update set json = excluded.json',
  )
  const remove = database.prepare('delete from rows where collection = ? and key = ?')
  const clear = database.prepare('delete from rows where collection = ?')
  return {
    load: (collection) =>
      (select.all(collection) as { key: string; json: string }[]).map(({ key, json }) => [key, json]),
    put: (collection, key, json) => {
      upsert.run(collection, key, json)
    },
    remove: (collection, key) => {
      remove.run(collection, key)
    },
    clear: (collection) => {
      clear.run(collection)
    },
    together: (write) => (database.inTransaction ? write() : database.transaction(write)()),
    close: () => {
      // Prepared statements keep the connection, and with it the lock, until they are collected: give it up first.
      for (const pragma of ['journal_mode = delete', 'locking_mode = normal', 'user_version']) {
        database.pragma(pragma)
      }
      database.close()
    },
  }
}
