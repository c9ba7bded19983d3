import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const tree = join(import.meta.dirname, '..')

/** Returns the files and the packages that the page loads for its first view. */
async function loadedByFirstView(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: tree,
    entryPoints: ['renderer/main.tsx'],
    outdir: 'unused',
    write: false,
    bundle: true,
    packages: 'external',
    // What is imported later stays out of the first file.
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    metafile: true,
    loader: { '.svg': 'empty', '.png': 'empty', '.woff2': 'empty' },
  })
  const { inputs } = metafile
  const found = new Set(['renderer/main.tsx'])
  for (const file of found)
    for (const { path, kind } of inputs[file]?.imports ?? []) if (kind !== 'dynamic-import') found.add(path)
  return [...found]
}

it('is loaded without the schemas, which the page builds with its first command', async () => {
  const loaded = await loadedByFirstView()
  expect(loaded).toContain('react')
  expect(loaded).toContain('contract/choices.ts')
  expect(loaded).not.toContain('zod')
  expect(loaded).not.toContain('contract/commands.ts')
})
