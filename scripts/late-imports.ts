import { posix } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Adds to each file of the main process a function that loads the files that it imports on demand
 * (main/cli/load-before-upgrade.ts). Only the same import in the same file will do: Node.js remembers where it found a file
 * for that one alone, and looks for the file again, even if it is loaded, when another imports it. Left out are the texts in other
 * languages: a command loads its own at the start.
 */
export function listLateImports(): Plugin {
  return {
    name: 'causeway:late-imports',
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        // An entry has imported its files before anything else runs.
        if (chunk.type !== 'chunk' || chunk.isEntry) continue
        const imports = chunk.dynamicImports
          .filter((name) => isCode(bundle[name]))
          .map((name) => `import("./${posix.relative(posix.dirname(chunk.fileName), name)}")`)
        if (imports.length > 0)
          chunk.code += `(globalThis.causewayLateImports??=[]).push(()=>Promise.allSettled([${imports.join()}]));\n`
      }
    },
  }
}

/** Returns false for what is not in the build, and for texts in another language. */
function isCode(
  file: { readonly type: 'asset' } | { readonly type: 'chunk'; readonly moduleIds: string[] } | undefined,
): boolean {
  // Some have no modules: they name what another one exports.
  return file?.type === 'chunk' && !file.moduleIds.some((id) => /[\\/]contract[\\/]locales[\\/]/.test(id))
}
