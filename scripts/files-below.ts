import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

interface FoundFile {
  readonly path: string
  readonly content: Buffer
  readonly mode: number
}

/**
 * Returns every file below a folder. The app, or a process of it that outlives it by a moment, may rename or remove files
 * meanwhile: then it looks again, so that a file isn't missed under both names.
 */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  for (;;) {
    try {
      return await read(folder)
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
  }
}

/** Throws `ENOENT` if a file or folder disappears. */
async function read(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async (path) => {
      const file = await open(path)
      try {
        return { path, content: await file.readFile(), mode: (await file.stat()).mode & 0o777 }
      } finally {
        await file.close()
      }
    }),
  )
}
