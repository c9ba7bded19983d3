import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'

/** Name of an instance's endpoints (main/app/cached-reads.ts), without which none of its answers can be found. */
export const endpointsName = 'endpoints'

/** Returns the folder of an instance's answers in the folder of all. */
export function answersFolder(folder: string, instanceId: string): string {
  return join(folder, hashed(instanceId))
}

/** Returns the path of one answer (offline-store.ts). */
export function answerPath(folder: string, instanceId: string, name: string): string {
  return join(answersFolder(folder, instanceId), fileOf(name))
}

/** Returns true for the path of an instance's endpoints. */
export function isEndpointsPath(path: string): boolean {
  return basename(path) === fileOf(endpointsName)
}

/** Returns the name of the answer to a request: its URL and the identity headers, without credentials. */
export function nameOfRead(url: URL, headers: Readonly<Record<string, string>> = {}): string {
  const who = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name === 'x-user-id' || name === 'x-user-roles')
    .sort()
  return JSON.stringify([url.href, ...who])
}

function fileOf(name: string): string {
  return `${hashed(name)}.json`
}

/** Hashes a name, which may be private or not allowed as a file name. */
function hashed(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
