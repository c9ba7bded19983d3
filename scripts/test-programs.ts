import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
  /** The other processes that tests start. */
  readonly processes: Readonly<Record<keyof typeof processes, string>>
}

const processes = {
  dial: 'main/platform/http/dial-process.testing.ts',
  holdLock: 'main/platform/storage/hold-lock.testing.ts',
  keyStore: 'main/platform/secret-store/key-store-program.testing.ts',
  launchService: 'main/tunnel/openvpn/launch-service.testing.ts',
  startTunnel: 'main/tunnel/openvpn/start-tunnel.testing.ts',
  trafficBlock: 'main/privilege/traffic-block-process.testing.ts',
  wireGuardComputer: 'main/app/wireguard-computer.testing.ts',
  writeNames: 'main/platform/storage/write-names.testing.ts',
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly programs: TestPrograms
  }
}

/** Native modules, and modules that read files beside their own; everything else starts faster from one file. */
const notBundled = ['@github/keytar', 'open', '@fastify/swagger', '@fastify/swagger-ui', 'vitest']

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
    filter: { id: ['main/cli.ts', ...Object.values(processes)].map((path) => join(root, path)) },
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
    build: {
      ssr: true,
      outDir,
      rolldownOptions: { input, output: modules, checks: { ineffectiveDynamicImport: false } },
    },
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

/** Bundles the programs in about two seconds; starting from source takes four times as long. */
async function buildTestPrograms(): Promise<TestPrograms & { readonly remove: () => Promise<void> }> {
  const folder = await newFolder()
  const [mockServer, commands] = await Promise.all([
    // Some of the processes run a mock server.
    bundleMockServer(folder, processes),
    bundleCommand(folder),
  ])
  return {
    ...commands,
    mockServer,
    processes: Object.fromEntries(
      Object.keys(processes).map((name) => [name, join(dirname(mockServer), `${name}.cjs`)]),
    ) as TestPrograms['processes'],
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function bundleCommand(folder: string): Promise<Pick<TestPrograms, 'command' | 'commandHost'>> {
  const into = join(folder, 'command')
  const programs = { 'command-line': 'main/cli.ts', host: 'main/cli/command-host.testing.ts' }
  await bundle(programs, into)
  const command = await cached(into, 'cli', 'command-line')
  const commandHost = await cached(into, 'hosted', 'host')
  await execa(process.execPath, ['--liftoff-only', command, 'status', '--json'], { env: fillsCache(folder) })
  return { command, commandHost }
}

async function bundleMockServer(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const into = join(folder, 'mock-server')
  const programs = {
    server: 'mock-server/cli.ts',
    // Without these, which it starts, it has no full tunnel.
    proxyguard: 'mock-server/vpn/wireguard/proxyguard.ts',
    'behind-process': 'mock-server/vpn/behind/behind-process.ts',
    ...more,
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
  // For the mocks that run in tests: starting their servers from source takes four times as long.
  process.env.CAUSEWAY_BUNDLED_MOCK = dirname(programs.mockServer)
  return remove
}
