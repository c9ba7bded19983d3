import type * as keytarModule from '@github/keytar'
import { createRequire } from 'node:module'
import { CausewayError } from '../../errors'
import { serial } from '../../serial'
import { keyStoreError, notAnsweredError } from './key-store-error'
import {
  joinSecret,
  parseHeader,
  type PartsHeader,
  type Sequence,
  sequences,
  splitSecret,
} from './secret-parts'
import type { SecretStore } from './secret-store'

export type Keytar = Pick<typeof keytarModule, 'getPassword' | 'setPassword' | 'deletePassword'>

interface OsSecretStoreOptions {
  /** The service name of the entries; `causeway` for users. */
  readonly service?: string
  readonly platform?: NodeJS.Platform
  /** Time limit for the user to unlock the key store, in milliseconds; default 2 minutes. */
  readonly limitMs?: number
  /** When it aborts, calls get no more than `endingMs`, because the user no longer waits for them. */
  readonly signal?: AbortSignal | undefined
  /** Loads the library at first use, so that a computer without libsecret gets an error instead of a crash. */
  readonly loadKeytar?: () => Keytar
}

/** The time for a call once the program is ending, in milliseconds. */
const endingMs = 3000

/** An entry that is written to detect a locked key store. */
const probeAccount = 'unlocked'

/**
 * Stores secrets in the platform's key store: macOS Keychain, Windows Credential Manager, Secret Service on Linux. A long
 * secret takes several entries, `<account>`, `<account>#a2`, …; an incomplete one counts as missing.
 *
 * Calls run in sequence, so that entries do not mix and a key store that waits for its password blocks one thread only. A
 * call gives up after `limitMs` with `secret-store/locked`.
 */
export function createOsSecretStore(options: OsSecretStoreOptions = {}): SecretStore {
  const { service = 'causeway', platform = process.platform, limitMs = 120_000, signal } = options
  const { loadKeytar = requireKeytar } = options
  const absentMayBeLocked = platform !== 'win32' && platform !== 'darwin'
  const calls = serial()
  /** The call that had no answer in time, as long as that is so: all others wait for it. */
  let unanswered: Promise<unknown> | undefined

  async function inTurn<T>(work: (entries: Entries) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    const call = calls(() => {
      limit.signal.throwIfAborted()
      return work(openEntries(loadKeytar(), service, limit.signal))
    }).finally(() => {
      if (unanswered === call) unanswered = undefined
    })
    const endIn = (ms: number) =>
      setTimeout(() => {
        unanswered = call
        limit.abort(notAnsweredError(ms))
      }, ms)
    let timer = endIn(signal?.aborted !== true ? limitMs : unanswered === undefined ? endingMs : 0)
    const hurry = (): void => {
      clearTimeout(timer)
      timer = endIn(endingMs)
    }
    signal?.addEventListener('abort', hurry)
    try {
      return await Promise.race([call, rejectedWhenAborted(limit.signal)])
    } catch (cause) {
      throw keyStoreError(cause)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', hurry)
    }
  }

  async function firstEntry(entries: Entries, account: string): Promise<string | undefined> {
    const entry = await entries.get(account)
    if (entry !== undefined || !absentMayBeLocked) return entry
    // A locked Secret Service returns nothing instead of an error; only writing distinguishes it from a missing
    // entry.
    await entries.set(probeAccount, 'yes')
    // Writing may have unlocked it.
    return entries.get(account)
  }

  return {
    get: (account) =>
      inTurn(async (entries) => {
        let first = (await firstEntry(entries, account)) ?? ''
        for (;;) {
          const header = parseHeader(first)
          if (header === undefined) return undefined
          const secret = await readParts(entries, account, header)
          if (secret !== undefined) return secret
          // Another process may have replaced it meanwhile.
          const again = (await entries.get(account)) ?? ''
          if (again === first) return undefined
          first = again
        }
      }),

    set: (account, secret) =>
      inTurn(async (entries) => {
        const before = parseHeader((await entries.get(account)) ?? '')
        const sequence = before?.sequence === 'a' ? 'b' : 'a'
        const parts = splitSecret(secret, sequence)
        if (parts === undefined) throw new CausewayError('secret-store/failed', { variant: 'too-long' })
        const [first, ...rest] = parts
        for (const [index, entry] of rest.entries())
          await entries.set(partOf(account, sequence, index + 2), entry)
        // Those that an interrupted call left.
        await removeParts(entries, account, sequence, parts.length + 1)
        // Its header makes the others valid, and those of the old secret superfluous.
        await entries.set(account, first)
        if (before !== undefined && before.count > 1)
          await removeParts(entries, account, before.sequence, 2, before.count)
      }),

    delete: (account) =>
      inTurn(async (entries) => {
        const before = parseHeader((await firstEntry(entries, account)) ?? '')
        for (const sequence of sequences)
          await removeParts(entries, account, sequence, 2, before?.sequence === sequence ? before.count : 1)
        await entries.delete(account)
      }),
  }
}

interface Entries {
  get(account: string): Promise<string | undefined>
  set(account: string, entry: string): Promise<void>
  /** Returns true if there was an entry. */
  delete(account: string): Promise<boolean>
}

/** Accesses the entries of one service; starts no operation after the limit. */
function openEntries(keytar: Keytar, service: string, limit: AbortSignal): Entries {
  return {
    get: async (account) => {
      limit.throwIfAborted()
      return (await keytar.getPassword(service, account)) ?? undefined
    },
    set: async (account, entry) => {
      limit.throwIfAborted()
      await keytar.setPassword(service, account, entry)
    },
    delete: async (account) => {
      limit.throwIfAborted()
      return keytar.deletePassword(service, account)
    },
  }
}

/** Returns the secret of a header; undefined if its parts don't belong together. */
async function readParts(
  entries: Entries,
  account: string,
  header: PartsHeader,
): Promise<string | undefined> {
  const rest: string[] = []
  for (let part = 2; part <= header.count; part += 1) {
    const entry = await entries.get(partOf(account, header.sequence, part))
    if (entry === undefined) return undefined
    rest.push(entry)
  }
  return joinSecret(header, rest)
}

/** Removes the entries of a sequence from a number on, of which there are at least those up to `count`. */
async function removeParts(
  entries: Entries,
  account: string,
  sequence: Sequence,
  from: number,
  count = from - 1,
): Promise<void> {
  let end = count + 1
  while (await entries.delete(partOf(account, sequence, end))) end += 1
  // An interrupted call leaves the first ones, which the next call finds.
  for (let part = count; part >= from; part -= 1) await entries.delete(partOf(account, sequence, part))
}

function partOf(account: string, sequence: Sequence, part: number): string {
  return `${account}#${sequence}${part}`
}

function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })
}

function requireKeytar(): Keytar {
  return createRequire(import.meta.url)('@github/keytar') as Keytar
}
