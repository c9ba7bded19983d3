import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface ScriptSize {
  /** Of the page's files as gzip would send them. */
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** How large what the first view of the built app needs is, compressed. */
export async function measureScripts(tree: string): Promise<ScriptSize> {
  const assets = join(tree, 'out', 'renderer', 'assets')
  const files = await readdir(assets)
  const total = async (end: string): Promise<number> => {
    const sizes = await Promise.all(
      files
        .filter((name) => name.endsWith(end))
        .map(async (name) => gzipSync(await readFile(join(assets, name))).length),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  return { scriptBytes: await total('.js'), styleBytes: await total('.css') }
}
