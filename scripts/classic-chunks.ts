import type { Plugin, Rolldown } from 'vite'

/**
 * Makes the page's scripts classic ones that load each other. If a runtime registers `app://` late, the page's origin is
 * opaque, which blocks module scripts, `import()` and the `crossorigin` attribute. The chunks are built as CommonJS and
 * wrapped in functions; a small loader at the top of the first one adds the script of another when it is imported.
 */
export function classicChunks(): Plugin {
  return {
    name: 'causeway:classic-chunks',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin', ''),
    },
    generateBundle: {
      // After Vite has collected the styles of all chunks.
      order: 'post',
      handler: (_options, bundle) => {
        joinChunks(bundle)
      },
    },
  }
}

function joinChunks(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  requireNoCycle(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])))
  for (const chunk of chunks)
    chunk.code = wrapped(chunk.code, nameOf(chunk.fileName), chunk.imports.map(nameOf))
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    // One script for the start: what the entry imports, itself or through others, comes before it.
    const names = new Set(entry.imports)
    for (const name of names)
      for (const each of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(each)
    const needed = chunks.filter(({ fileName }) => names.has(fileName))
    const codes = [...needed, entry].map(({ code }) => code)
    entry.code = `${loader}${codes.join('')}causewayRun(${JSON.stringify(nameOf(entry.fileName))})\n`
    for (const { fileName } of needed) Reflect.deleteProperty(bundle, fileName)
  }
}

/** Throws an Error if a chunk imports itself through others: the loader would wait for it without end. */
export function requireNoCycle(importsOf: ReadonlyMap<string, readonly string[]>): void {
  const look = (name: string, above: readonly string[]): void => {
    if (above.includes(name))
      throw new Error(`These chunks import each other: ${[...above, name].join(', ')}`)
    for (const each of importsOf.get(name) ?? []) look(each, [...above, name])
  }
  for (const name of importsOf.keys()) look(name, [])
}

function nameOf(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('/') + 1)
}

/** `import()` as the bundler writes it for CommonJS. */
const dynamicImport = /Promise\.resolve\(\)\.then\(\(\)\s*=>\s*require\((["'`])\.\/([\w.-]+)\1\)\)/g

/**
 * Returns a CommonJS chunk as a definition for the loader. The parentheses make V8 compile the function together with the script,
 * in the background. Otherwise it would only look for syntax errors then, and compile the function when it's called.
 */
export function wrapped(code: string, name: string, imports: readonly string[]): string {
  const loading = code.replace(dynamicImport, (_all, _quote, other: string) => `causewayLoad("${other}")`)
  return `causewayChunk(${JSON.stringify(name)},${JSON.stringify(imports)},(function(require,exports){${loading}\n}))\n`
}

/**
 * Defines `causewayChunk`, `causewayLoad` and `causewayRun`. V8 compiles a script, each script runs, and what waited for
 * them is rendered in a task of its own, so that none blocks the page for long.
 */
const loader = `(() => {
const chunks = new Map(), scripts = new Map(), folder = document.currentScript.src.replace(/[^/]*$/, '')
const script = (name) => new Promise((resolve, reject) => {
  const element = document.createElement('script')
  element.src = folder + name
  element.onload = resolve
  element.onerror = () => { element.remove(); reject(new Error('A script of the page could not be loaded.')) }
  document.head.append(element)
})
const fetched = (name) => {
  if (!chunks.has(name) && !scripts.has(name)) scripts.set(name, script(name).catch((error) => { scripts.delete(name); throw error }))
  return Promise.resolve(scripts.get(name)).then(() => Promise.all(chunks.get(name).imports.map(fetched)))
}
const run = (name) => {
  const chunk = chunks.get(name)
  if (chunk.exports === undefined) {
    chunk.exports = {}
    try { chunk.code((other) => run(other.slice(2)), chunk.exports) } catch (error) { chunk.exports = undefined; throw error }
  }
  return chunk.exports
}
globalThis.causewayChunk = (name, imports, code) => { chunks.set(name, { imports, code, exports: undefined }) }
const runEach = async (name) => {
  for (const each of chunks.get(name).imports) if (chunks.get(each).exports === undefined) await runEach(each)
  await scheduler.yield()
  run(name)
}
globalThis.causewayLoad = async (name) => {
  if (chunks.get(name)?.exports === undefined) {
    await fetched(name)
    await runEach(name)
    await scheduler.yield()
  }
  return run(name)
}
globalThis.causewayRun = run
})();
`
