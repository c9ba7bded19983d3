import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'

const root = join(import.meta.dirname, '..')

/** The scripts that tests start with Node.js, by their paths. */
export interface TestPrograms {
  /** The terminal command. */
  readonly command: string
  readonly mockServer: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly programs: TestPrograms
  }
}

/** Native, or with files beside their own modules; everything else starts faster in one file. */
const notBundled = ['@github/keytar', 'open', 'libsql', 'esbuild', '@fastify/swagger', '@fastify/swagger-ui']

/** What CommonJS modules ask for. */
const commonJsNames = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

/** The mock server reads the files of its page beside its own modules. */
const whereItWas: Plugin = {
  name: 'causeway:where-it-was',
  transform: {
    filter: { id: /\/mock-server\/.*\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

async function bundle(entry: string, outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [whereItWas],
    ssr: { noExternal: true, external: notBundled },
    build: { ssr: entry, outDir, rolldownOptions: { output: { intro: commonJsNames } } },
  })
}

/** Bundles both programs, in about a second: from source each start would take four times as long. */
export async function buildTestPrograms(): Promise<TestPrograms & { readonly remove: () => Promise<void> }> {
  // Where node_modules is found from, and nobody looks; a folder for each run, as two may run at once. Some tests start
  // the programs as other users.
  const cache = join(root, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'causeway-test-programs-'))
  await chmod(folder, 0o755)
  const command = join(folder, 'command')
  const mockServer = join(folder, 'mock-server')
  await Promise.all([bundle('main/cli.ts', command), bundle('mock-server/cli.ts', mockServer)])
  return {
    command: join(command, 'cli.js'),
    mockServer: join(mockServer, 'cli.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Vitest calls it before the tests, and what it returns after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { remove, ...programs } = await buildTestPrograms()
  project.provide('programs', programs)
  return remove
}
