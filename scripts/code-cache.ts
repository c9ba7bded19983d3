import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'

/**
 * Loads the modules beside it with their machine-independent code from an earlier process, as `module.enableCompileCache` does
 * from Node.js 22 on: compiling took a third of what a command takes (test-programs.ts). With CAUSEWAY_MAKE_CODE_CACHE, it
 * stores the code when the process ends.
 */

interface Loader {
  _compile(this: NodeJS.Module, content: string, path: string, ...more: unknown[]): unknown
}

type Wrapped = (...given: unknown[]) => unknown

const loader = Module.prototype as unknown as Loader
const compile = Reflect.get(loader, '_compile')
const folder = import.meta.dirname
const isMaking = process.env.CAUSEWAY_MAKE_CODE_CACHE === '1'
const made = new Map<string, Script>()
const codeOf = (path: string) => `${path}.code`

loader._compile = function (content, path, ...more) {
  const isCached = dirname(path) === folder && (isMaking || existsSync(codeOf(path)))
  if (!isCached) return compile.call(this, content, path, ...more)
  // The first line may name the interpreter. Code that another version or option of Node.js made is not used.
  const script = new Script(Module.wrap(content.replace(/^#!/, '//')), {
    filename: path,
    cachedData: isMaking ? undefined : readFileSync(codeOf(path)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  if (isMaking) made.set(path, script)
  const wrapped = script.runInThisContext() as Wrapped
  return wrapped.call(this.exports, this.exports, createRequire(path), this, path, folder)
}

if (isMaking)
  process.once('exit', () => {
    const require = createRequire(import.meta.filename)
    // What this process didn't need. The names of entries have no hash.
    for (const name of readdirSync(folder)) if (/-[\w-]{8}\.cjs$/.test(name)) require(join(folder, name))
    // With the functions that have been called.
    for (const [path, script] of made) writeFileSync(codeOf(path), script.createCachedData())
  })
