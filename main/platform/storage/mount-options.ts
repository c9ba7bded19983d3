import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the options of what is mounted at a place on Linux: the last of several. Undefined if nothing is. */
export function mountOptions(place: string, root = '/'): readonly string[] | undefined {
  let text: string
  try {
    text = readFileSync(join(root, 'proc/self/mounts'), 'utf8')
  } catch {
    return undefined
  }
  const mounts = text.split('\n').map((line) => line.split(' '))
  return mounts.findLast(([, mounted]) => mounted === place)?.[3]?.split(',')
}
