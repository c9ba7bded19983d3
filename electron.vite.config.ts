import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { join } from 'node:path'
import { classicChunks } from './scripts/classic-chunks'
import { listBundledPackages } from './scripts/bundled-packages'
import { listLateImports } from './scripts/late-imports'

/** Information about the build's modules. */
interface Modules {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[]
    readonly dynamicallyImportedIds: readonly string[]
  } | null
}

/** Returns the ids of a module and of everything that it imports statically, or `'on demand'` as well. */
function importsOf(of: string, modules: Modules, when?: 'on demand'): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    const info = modules.getModuleInfo(id)
    info?.importedIds.forEach(look)
    if (when === 'on demand') info?.dynamicallyImportedIds.forEach(look)
  }
  look(of)
  return found
}

/** Returns true for a module that the terminal can't load, because it runs without Electron's part for apps. */
function usesElectron(id: string, modules: Modules): boolean {
  return importsOf(id, modules).has('electron')
}

/**
 * Puts the modules that the window needs before it can be used into few files: loading them from twenty files takes a quarter
 * longer (docs/startup-time.md). `values` answers a shell's completion, `first` opens the window, `shared` is what the terminal needs
 * for its help as well, `terminal-help` what it alone needs, `services` what it needs for its commands, `on-demand` what some of
 * them load later. The terminal can't load `window`, which uses Electron.
 */
function sharedChunks(): (id: string, modules: Modules) => string | null {
  let sets:
    | Readonly<
        Record<'values' | 'first' | 'window' | 'zod' | 'help' | 'command' | 'terminal', ReadonlySet<string>>
      >
    | undefined
  return (id, modules) => {
    const entry = (path: string) => join(import.meta.dirname, 'main', path)
    const from = (path: string, when?: 'on demand') => importsOf(entry(path), modules, when)
    sets ??= {
      values: from('cli.ts'),
      first: from('index.ts'),
      window: from('desktop/desktop-app.ts'),
      zod: from('../contract/zod-without-eval.ts'),
      help: from('cli/run-command.ts'),
      command: from('cli/run-action.ts'),
      terminal: from('cli.ts', 'on demand'),
    }
    if (id === entry('cli.ts')) return null
    if (sets.values.has(id)) return 'values'
    if (sets.first.has(id)) return usesElectron(id, modules) ? null : 'first'
    if (!sets.window.has(id)) return sets.help.has(id) ? 'terminal-help' : null
    // Zod's setting comes before the first schema only in the same file.
    if (sets.zod.has(id) || sets.help.has(id)) return 'shared'
    if (sets.command.has(id)) return 'services'
    return sets.terminal.has(id) ? 'on-demand' : 'window'
  }
}

/** In `npm run dev`, the page comes from Vite's server, whose policy permits what replacing modules needs. */
const devServer = {
  host: '127.0.0.1',
  headers: {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self' ws:",
      "img-src 'self' app: data:",
      "font-src 'self'",
    ].join('; '),
  },
}

export default defineConfig(({ command }) => ({
  main: {
    plugins: [listBundledPackages(import.meta.dirname, 'main'), listLateImports()],
    resolve:
      command === 'build'
        ? {}
        : {
            alias: [
              {
                find: './page-origin',
                replacement: join(import.meta.dirname, 'scripts/dev/page-origin.ts'),
              },
            ],
          },
    build: {
      rolldownOptions: {
        input: { index: 'main/index.ts', cli: 'main/cli.ts' },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // V8 reads text of one byte a character faster.
          charset: 'ascii',
          // Half the text is read and compiled at the start; names of functions stay for the reports of defects.
          minify: {
            compress: { keepNames: { function: true, class: true } },
            mangle: { toplevel: true, keepNames: true },
            codegen: { removeWhitespace: true },
          },
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
    server: devServer,
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
        input: join(import.meta.dirname, 'renderer/index.html'),
        output: {
          format: 'cjs',
          charset: 'ascii',
          // Compiled in a task of its own, before the schemas; with its setting, which none of them may come before.
          codeSplitting: {
            groups: [
              { name: 'zod', test: /[\\/](?:node_modules[\\/]zod[\\/]|contract[\\/]zod-without-eval)/ },
            ],
          },
        },
        // Vite's wrapper of import() uses import.meta, which a classic script does not have.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  },
}))
