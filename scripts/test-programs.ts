import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** Native modules, modules that read files beside their own, and Vitest, which isn't used there; everything else starts faster from one file. */
const notBundled = ['@github/keytar', 'open', '@fastify/swagger', '@fastify/swagger-ui', 'vitest']

/** Variables that CommonJS modules use. */
const commonJsNames = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

/** The names of modules, which Node.js knows without a package.json; with one, this folder would look like a source tree. */
const modules = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } as const

/** Keeps import.meta.url of source files, because the mock server reads its page's files beside its modules. */
const keepModuleUrls: Plugin = {
  name: 'causeway:keep-module-urls',
  transform: {
    filter: { id: /\/mock-server\/.*\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

async function bundle(input: Readonly<Record<string, string>>, outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepModuleUrls],
    ssr: { noExternal: true, external: notBundled },
    build: {
      ssr: true,
      outDir,
      rolldownOptions: {
        input,
        output: { ...modules, intro: commonJsNames },
        checks: { ineffectiveDynamicImport: false },
      },
    },
  })
}

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
  const command = join(folder, 'command')
  const [mockServer] = await Promise.all([
    // Some of the processes run a mock server.
    bundleMockServer(folder, processes),
    bundle({ cli: 'main/cli.ts', host: 'main/cli/command-host.testing.ts' }, command),
  ])
  return {
    command: join(command, 'cli.mjs'),
    commandHost: join(command, 'host.mjs'),
    mockServer,
    processes: Object.fromEntries(
      Object.keys(processes).map((name) => [name, join(dirname(mockServer), `${name}.mjs`)]),
    ) as TestPrograms['processes'],
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function bundleMockServer(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const into = join(folder, 'mock-server')
  const programs = {
    cli: 'mock-server/cli.ts',
    // Without these, which it starts, it has no full tunnel.
    proxyguard: 'mock-server/vpn/wireguard/proxyguard.ts',
    'behind-process': 'mock-server/vpn/behind/behind-process.ts',
    ...more,
  }
  await bundle(programs, into)
  return join(into, 'cli.mjs')
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
