import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Writes into `out/bundled` the folders of the npm packages whose code or styles are in a part of the build. The licence notices and the list
 * of components in each release come from these lists (scripts/package-files.ts).
 */
export function listBundledPackages(tree: string, part: 'main' | 'preload' | 'renderer'): Plugin {
  return {
    name: 'causeway:bundled-packages',
    // Before another plugin joins chunks.
    generateBundle: {
      order: 'pre',
      async handler(_options, bundle) {
        const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        const folders = new Set(modules.flatMap(packageFolder).map((folder) => relative(tree, folder)))
        const output = join(tree, 'out', 'bundled')
        await mkdir(output, { recursive: true })
        await writeFile(
          join(output, `${part}.json`),
          `${JSON.stringify([...folders].sort(), undefined, 2)}\n`,
        )
      },
    },
  }
}

/** Returns the folder of the npm package that a module is part of; none for the app's own modules. */
function packageFolder(id: string): string[] {
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
  return folder === undefined ? [] : [folder.replace(/^\0+/, '')]
}
