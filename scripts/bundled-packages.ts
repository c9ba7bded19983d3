import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Writes into `bundled` beside the output the folders of the npm packages whose code or styles are in a part of the build, also with
 * the bytes of each, and of those in the terminal command, with its files. The licence notices and the list of components in each
 * release come from these lists (scripts/package-files.ts), and so does docs/supply-chain.md.
 */
export function listBundledPackages(tree: string, part: 'main' | 'preload' | 'renderer'): Plugin {
  return {
    name: 'causeway:bundled-packages',
    // Before another plugin joins chunks.
    generateBundle: {
      order: 'pre',
      async handler({ dir = '' }, bundle) {
        const write = (name: string, items: Iterable<string>) =>
          writeFile(
            join(dir, '../bundled', `${name}.json`),
            `${JSON.stringify([...items].sort(), undefined, 2)}\n`,
          )
        const packagesIn = (files: Iterable<string>) => {
          const modules = [...files].flatMap((name) => {
            const file = bundle[name]
            return file?.type === 'chunk' ? file.moduleIds : []
          })
          return new Set(modules.flatMap(packageFolder).map((folder) => relative(tree, folder)))
        }
        await mkdir(join(dir, '../bundled'), { recursive: true })
        await write(part, packagesIn(Object.keys(bundle)))
        await write(
          `${part}-sizes`,
          [...sizesIn(bundle)].map(([folder, size]) => `${relative(tree, folder)} ${size}`),
        )
        if (part !== 'main') return
        const command = filesFrom('cli.js', bundle)
        await write('cli', packagesIn(command))
        await write('cli-files', command)
      },
    },
  }
}

/** Files of a bundle that a file may load, at the start or later. */
type Bundle = Readonly<
  Record<
    string,
    | { readonly type: 'asset' }
    | { readonly type: 'chunk'; readonly imports: string[]; readonly dynamicImports: string[] }
  >
>

/** Returns the names of a file and of all that it loads. */
function filesFrom(name: string, bundle: Bundle, found = new Set<string>()): ReadonlySet<string> {
  const file = bundle[name]
  if (file?.type !== 'chunk' || found.has(name)) return found
  found.add(name)
  for (const next of [...file.imports, ...file.dynamicImports]) filesFrom(next, bundle, found)
  return found
}

/** Returns the bytes of code of each npm package in a bundle, before it is minified. */
function sizesIn(bundle: Readonly<Record<string, ChunkOrAsset>>): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue
    for (const [id, { renderedLength }] of Object.entries(file.modules))
      for (const folder of packageFolder(id)) sizes.set(folder, (sizes.get(folder) ?? 0) + renderedLength)
  }
  return sizes
}

type ChunkOrAsset =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>
    }

/** Returns the folder of the npm package that a module is part of; none for the app's own modules. */
export function packageFolder(id: string): string[] {
  const [, folder] = /^((?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
  return folder === undefined ? [] : [folder.replace(/^\0+/, '')]
}
