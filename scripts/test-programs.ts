import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { build, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'

const root = join(import.meta.dirname, '..')

/** Paths of the scripts that tests start with Node.js. */
interface TestPrograms {
  readonly command: string
  /** Runs the command many times in one process (main/cli/command-host.testing.ts). */
  readonly commandHost: string
  readonly mockServer: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly programs: TestPrograms
  }
}

/** Native modules, and modules that read files beside their own; everything else starts faster from one file. */
const notBundled = ['@github/keytar', 'open', '@fastify/swagger', '@fastify/swagger-ui']

/**
 * CommonJS modules load in half the time, and can be cached. Node.js knows them by their names without a package.json; with
 * one, this folder would look like a source tree.
 */
const modules = { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' } as const

/** Keeps import.meta.url of source files, because the mock server reads its page's files beside its modules. */
const keepModuleUrls: Plugin = {
  name: 'causeway:keep-module-urls',
  transform: {
    filter: { id: /\/mock-server\/.*\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

/** Moves the statements of a script, which wait, into a function: a CommonJS module can't wait. */
const waitInFunction: Plugin = {
  name: 'causeway:wait-in-function',
  transform: {
    filter: { id: /\/main\/cli\.ts$/ },
    handler: (code) => {
      const start = code.lastIndexOf('\nimport ')
      const at = code.indexOf('\n', start + 1) + 1
      // Like a module that waits for ever.
      const never = "process.once('beforeExit', () => isOver || process.exit(13))"
      return `${code.slice(0, at)}let isOver = false; ${never}
        async function run() { ${code.slice(at)} }
        void run().then(() => { isOver = true })`
    },
  },
}

async function bundle(programs: Readonly<Record<string, string>>, outDir: string): Promise<void> {
  const input = { ...programs, 'code-cache': 'scripts/code-cache.ts' }
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepModuleUrls, waitInFunction],
    ssr: { noExternal: true, external: notBundled },
    build: { ssr: true, outDir, rolldownOptions: { input, output: modules } },
  })
}

/** Writes a script that loads a bundled one through the cache; returns its path. */
async function cached(folder: string, name: string, bundled: string): Promise<string> {
  const path = join(folder, `${name}.cjs`)
  await writeFile(path, `require('./code-cache.cjs'); require('./${bundled}.cjs')\n`)
  return path
}

/** Variables with which a program stores the code of what it loads (code-cache.ts). */
const fillsCache = (folder: string) => ({
  CAUSEWAY_MAKE_CODE_CACHE: '1',
  CAUSEWAY_DATA_DIR: join(folder, 'data'),
  CAUSEWAY_SECRET_STORE: 'file',
})

async function newFolder(): Promise<string> {
  // In the cache of node_modules, from where modules resolve. Each run has its own folder, because runs may overlap.
  // Some tests start the programs as other users.
  const cache = join(root, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'causeway-test-programs-'))
  await chmod(folder, 0o755)
  return folder
}

/** Bundles both programs in about two seconds; starting from source takes four times as long. */
async function buildTestPrograms(): Promise<TestPrograms & { readonly remove: () => Promise<void> }> {
  const folder = await newFolder()
  const [mockServer, commands] = await Promise.all([bundleMockServer(folder), bundleCommand(folder)])
  return {
    ...commands,
    mockServer,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function bundleCommand(folder: string): Promise<Omit<TestPrograms, 'mockServer'>> {
  const into = join(folder, 'command')
  const programs = { 'command-line': 'main/cli.ts', host: 'main/cli/command-host.testing.ts' }
  await bundle(programs, into)
  const command = await cached(into, 'cli', 'command-line')
  const commandHost = await cached(into, 'hosted', 'host')
  await execa(process.execPath, ['--liftoff-only', command, 'status', '--json'], { env: fillsCache(folder) })
  return { command, commandHost }
}

async function bundleMockServer(folder: string): Promise<string> {
  const into = join(folder, 'mock-server')
  const programs = {
    server: 'mock-server/cli.ts',
    // Without these, which it starts, it has no full tunnel.
    proxyguard: 'mock-server/vpn/wireguard/proxyguard.ts',
    'behind-process': 'mock-server/vpn/behind/behind-process.ts',
  }
  await bundle(programs, into)
  const command = await cached(into, 'cli', 'server')
  const mock = execa(process.execPath, [command, '--port', '0', '--json'], { env: fillsCache(folder) })
  await once(mock.stdout, 'data')
  mock.kill('SIGTERM')
  await mock
  return command
}

/** Bundles the mock server alone. */
export async function buildMockServer(): Promise<{
  readonly path: string
  readonly remove: () => Promise<void>
}> {
  const folder = await newFolder()
  const path = await bundleMockServer(folder)
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Provides the programs to the tests; Vitest calls this before them, and the returned function after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { remove, ...programs } = await buildTestPrograms()
  project.provide('programs', programs)
  return remove
}
