import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Loads the renderer as one classic script. In a runtime that has registered `app://` late, the page's origin is
 * opaque, and a module script or a `crossorigin` attribute would be refused there.
 */
function classicScript(): Plugin {
  return {
    name: 'causeway:classic-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin', ''),
    },
  }
}

/** Of the build's modules, what one of them needs before it can run. */
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
 * What window and terminal both need before they can do anything, in one file: read out of twenty, it takes a quarter
 * longer (docs/startup-time.md). Without what the window needs before that.
 */
function servicesChunk(): (id: string, modules: Modules) => string | null {
  let sets: Readonly<Record<'first' | 'window' | 'terminal', ReadonlySet<string>>> | undefined
  return (id, modules) => {
    sets ??= {
      first: staticImports('index.ts', modules),
      window: staticImports('desktop/desktop-app.ts', modules),
      terminal: staticImports('cli.ts', modules),
    }
    return sets.window.has(id) && sets.terminal.has(id) && !sets.first.has(id) ? 'services' : null
  }
}

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: { index: 'main/index.ts', cli: 'main/cli.ts' },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          codeSplitting: {
            groups: [{ debugName: 'services', name: servicesChunk(), includeDependenciesRecursively: false }],
          },
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script can require nothing but electron: everything is bundled into it.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), classicScript()],
    build: {
      minify: true,
      // Beside the script, where the policy of the page lets it in: split, it would be inserted by the script.
      cssCodeSplit: false,
      // Read from the disk at once, not over a network.
      chunkSizeWarningLimit: 2000,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: 'renderer/index.html',
        output: { format: 'iife' },
        // Vite's wrapper of import() asks a module where it is, which in one file is nowhere.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  },
})
