import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the paths of all files and folders below a folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.map((name) => join(folder, name))
}
