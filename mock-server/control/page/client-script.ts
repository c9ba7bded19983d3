const made = new Map<string, Promise<string>>()

async function bundle(entry: string): Promise<string> {
  // Only whoever opens the page pays for the compiler.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** The script of the page, made of its TypeScript when it is first asked for. `entry` is a path. */
export function clientScript(entry: string): Promise<string> {
  const before = made.get(entry)
  if (before !== undefined) return before
  const script = bundle(entry)
  made.set(entry, script)
  // A compiler that failed once, as on a machine without memory, may do better the next time.
  script.catch(() => made.delete(entry))
  return script
}
