import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface ScriptSize {
  /** Compressed size of the scripts that the page names, in bytes. */
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** Returns the compressed size of the files that the built app's first view loads. The others are loaded after it is painted. */
export async function measureScripts(tree: string): Promise<ScriptSize> {
  const folder = join(tree, 'out', 'renderer')
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const total = async (address: RegExp): Promise<number> => {
    const sizes = await Promise.all(
      [...page.matchAll(address)].map(
        async ([, file = '']) => gzipSync(await readFile(join(folder, file))).length,
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  return {
    scriptBytes: await total(/<script[^>]* src="([^"]+)"/g),
    styleBytes: await total(/<link rel="stylesheet"[^>]* href="([^"]+)"/g),
  }
}
