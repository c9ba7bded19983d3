import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { execa } from 'execa'
import { z } from 'zod'
import { packageFolder } from './bundled-packages'
import { controlDeclarations } from './control-declarations'
import { setModes } from './file-modes'
import { flatDeclarations } from './flat-declarations'

const root = join(import.meta.dirname, '..')
const source = join(root, 'mock-server')

const ownPackage = z.object({
  version: z.string(),
  license: z.string(),
  devDependencies: z.object({ libsql: z.string() }),
})

/** The oldest Node that the package supports: older than that of the app, because its users' tests run on any. */
const oldestNode = '20.19'

const commandFiles = ['cli.ts', 'command-line.ts'].map((name) => join(source, name))

/** Makes the command use the library beside it, instead of containing it a second time. */
const sharedLibrary: Plugin = {
  name: 'shared-library',
  setup: (bundle) => {
    bundle.onResolve({ filter: /^\.\/server$/ }, ({ importer }) =>
      commandFiles.includes(importer) ? { path: './server.js', external: true } : undefined,
    )
  },
}

/** The file of swagger-ui that its page doesn't use. */
const unused = 'swagger-ui.js'

function packageJson({ version, license, devDependencies }: z.infer<typeof ownPackage>): object {
  return {
    name: 'causeway-mock-server',
    version,
    description: 'Plays the server side of a VPN portal and the services around it, for tests of clients',
    license,
    type: 'commonjs',
    main: './dist/server.js',
    types: './dist/server.d.ts',
    bin: { 'causeway-mock-server': 'dist/cli.js' },
    exports: {
      '.': { types: './dist/server.d.ts', default: './dist/server.js' },
      './package.json': './package.json',
    },
    engines: { node: `>=${oldestNode}` },
    // Only for a data directory on Node 20, which has no SQLite. An optional dependency would bring 19 MB to everybody.
    peerDependencies: { libsql: devDependencies.libsql },
    peerDependenciesMeta: { libsql: { optional: true } },
  }
}

/** Returns the licenses of the bundled packages. */
async function licenses({ inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).flatMap(packageFolder)
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const files = (await readdir(join(root, folder))).filter((name) => /^(licen[cs]e|notice)/i.test(name))
    const contents = await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')))
    return [`# ${folder.replace(/^.*node_modules\//, '')}`, ...contents.map((text) => text.trim())].join(
      '\n\n',
    )
  })
  return `${(await Promise.all(texts)).join('\n\n')}\n`
}

/** Bundles the programs of the mock server into a folder, and returns what they are made of. */
export async function bundleMockServer(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'mock-server/cli.ts',
      server: 'mock-server/server.ts',
      proxyguard: 'mock-server/vpn/wireguard/proxyguard.ts',
      'behind-process': 'mock-server/vpn/behind/behind-process.ts',
    },
    outdir,
    bundle: true,
    // Jest and other users of CommonJS can't load ES modules; ES modules can import CommonJS.
    format: 'cjs',
    platform: 'node',
    target: `node${oldestNode}`,
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': 'moduleAddress' },
    banner: { js: "const moduleAddress = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [sharedLibrary],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  return metafile
}

/** For Symbol.asyncDispose, whatever the `lib` of the project is. */
const libraries = '/// <reference lib="esnext.disposable" />'

/** Bundles the mock server as a package in this folder, which is emptied before. Returns the path of its tarball. */
export async function packMockServer(folder: string): Promise<string> {
  const content = join(folder, 'package')
  const dist = join(content, 'dist')
  await rm(folder, { recursive: true, force: true })
  await mkdir(dist, { recursive: true })
  const metafile = await bundleMockServer(dist)
  const own = ownPackage.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const swaggerUi = join(root, 'node_modules/@fastify/swagger-ui/static')
  await Promise.all([
    writeFile(join(content, 'package.json'), `${JSON.stringify(packageJson(own), undefined, 2)}\n`),
    flatDeclarations(
      join(source, 'server.ts'),
      [
        'createMockServer',
        'MockServerOptions',
        'MockServer',
        'connectToMock',
        'MockClient',
        'MockRefusal',
        'MockWorld',
        'RequestMatch',
      ],
      join(root, 'tsconfig.json'),
      { ControlApi: await controlDeclarations() },
    ).then((text) => writeFile(join(dist, 'server.d.ts'), `${libraries}\n${text}`)),
    licenses(metafile).then((text) => writeFile(join(content, 'THIRD-PARTY-LICENSES.md'), text)),
    cp(join(root, 'LICENSE'), join(content, 'LICENSE')),
    cp(join(source, 'package-readme.md'), join(content, 'README.md')),
    // For tests in other languages: folders named after them.
    cp(join(source, 'helpers'), content, {
      recursive: true,
      filter: (path) => !path.includes('__pycache__'),
    }),
    // The path that the module reads, relative to the bundle.
    cp(swaggerUi, join(content, 'static'), {
      recursive: true,
      filter: (path) => path !== join(swaggerUi, unused),
    }),
  ])
  // npm keeps the modes, which the umask may have changed: others couldn't read what root installs.
  await setModes(content, new Date())
  const packed = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: content,
  })
  const [tarball] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(packed.stdout))
  return join(folder, tarball?.filename ?? '')
}
