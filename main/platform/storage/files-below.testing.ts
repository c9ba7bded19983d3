import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the paths of all files below a folder, with their contents. Of a running app, some get another name meanwhile: they are
 * left out, since what they replace is there.
 */
export async function filesBelow(folder: string): Promise<[path: string, content: Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = async (path: string): Promise<[string, Buffer][]> => {
    try {
      return [[path, await readFile(path)]]
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  }
  return (await Promise.all(files.map(read))).flat()
}
