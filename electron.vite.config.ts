import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { join } from 'node:path'
import { classicChunks } from './scripts/classic-chunks'
import { listBundledPackages } from './scripts/bundled-packages'

/** Information about the build's modules. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

function staticImports(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    modules.getModuleInfo(id)?.importedIds.forEach(look)
  }
  look(join(import.meta.dirname, 'main', entry))
  return found
}

/**
 * Puts the modules that both window and terminal need before they can do anything into two files: loading them from
 * twenty files takes a quarter longer (docs/startup-time.md). The terminal's help needs only one of them. Excludes what the
 * window needs even earlier.
 */
function sharedChunks(): (id: string, modules: Modules) => string | null {
  let sets: Readonly<Record<'first' | 'window' | 'help' | 'command', ReadonlySet<string>>> | undefined
  return (id, modules) => {
    sets ??= {
      first: staticImports('index.ts', modules),
      window: staticImports('desktop/desktop-app.ts', modules),
      help: staticImports('cli.ts', modules),
      command: staticImports('cli/run-action.ts', modules),
    }
    if (!sets.window.has(id) || sets.first.has(id)) return null
    if (sets.help.has(id)) return 'shared'
    return sets.command.has(id) ? 'services' : null
  }
}

export default defineConfig({
  main: {
    plugins: [listBundledPackages(import.meta.dirname, 'main')],
    build: {
      rolldownOptions: {
        input: { index: 'main/index.ts', cli: 'main/cli.ts' },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Half the text is read and compiled at the start; names stay for the reports of defects.
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          codeSplitting: {
            groups: [{ debugName: 'shared', name: sharedChunks(), includeDependenciesRecursively: false }],
          },
        },
      },
    },
  },
  preload: {
    plugins: [listBundledPackages(import.meta.dirname, 'preload')],
    build: {
      // A sandboxed preload script can require only electron, so everything else is bundled.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), classicChunks(), listBundledPackages(import.meta.dirname, 'renderer')],
    build: {
      minify: true,
      // The page's policy permits a style sheet file; with code splitting, the script would insert the styles.
      cssCodeSplit: false,
      // Files are loaded from disk, not over a network.
      chunkSizeWarningLimit: 2000,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: 'renderer/index.html',
        output: { format: 'cjs' },
        // Vite's wrapper of import() uses import.meta, which a classic script does not have.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  },
})
