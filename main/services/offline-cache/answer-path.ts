import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Returns the folder of an instance's answers in the folder of all. */
export function answersFolder(folder: string, instanceId: string): string {
  return join(folder, hashed(instanceId))
}

/** Returns the path of one answer (offline-store.ts). */
export function answerPath(folder: string, instanceId: string, name: string): string {
  return join(answersFolder(folder, instanceId), `${hashed(name)}.json`)
}

/** Returns the name of the answer to a request: its URL and the identity headers, without credentials. */
export function nameOfRead(url: URL, headers: Readonly<Record<string, string>> = {}): string {
  const who = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name === 'x-user-id' || name === 'x-user-roles')
    .sort()
  return JSON.stringify([url.href, ...who])
}

/** Hashes a name, which may be private or not allowed as a file name. */
function hashed(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
