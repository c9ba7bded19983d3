import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
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

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: { index: 'main/index.ts', cli: 'main/cli.ts' },
        output: { format: 'es', entryFileNames: '[name].js' },
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
      rolldownOptions: { input: 'renderer/index.html', output: { format: 'iife' } },
    },
  },
})
