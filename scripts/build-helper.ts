import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { answerHelp } from './help'
import { isStarted } from './program'

const tree = join(import.meta.dirname, '..')

/** The systems with a helper: the privileged one, and on Windows one with the user's rights. */
const platforms = ['linux', 'darwin', 'win32'] as const
type Platform = (typeof platforms)[number]

interface HelperBuild {
  readonly output: string
  readonly platform: Platform
  /** Processor in Node's naming. */
  readonly architecture: string
  /** Build tags; none for the released program. */
  readonly tags?: readonly string[]
  /** Builds with the race detector, which needs a C compiler. */
  readonly isRace?: boolean
}

/** Path of the helper for this computer, where the app looks for it. */
export const builtHelper = builtHelperFor(process.platform)

export function builtHelperFor(platform: NodeJS.Platform): string {
  return join(tree, 'out', 'helper', platform === 'win32' ? 'causeway-helper.exe' : 'causeway-helper')
}

/** Path of the program for WireGuard in user space, beside the helper. */
export const builtUserspaceWireGuard = join(dirname(builtHelper), 'causeway-wireguard')

/** The tag of the stand-in for the service of Windows and its helper (helper/windows/rehearsal.go). */
const serviceRehearsal = 'service_rehearsal'

/** The folders of the Go modules with dependencies. */
export const userspaceWireGuard = join(tree, 'helper', 'userspace-wireguard')
export const windowsService = join(tree, 'helper', 'windows-service')

const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', armv7l: 'arm' }

/** Returns whether a Go compiler is installed. */
async function hasGo(): Promise<boolean> {
  const { failed } = await execa('go', ['version'], { reject: false })
  return !failed
}

/**
 * Builds the helper as one static program. The build is reproducible.
 *
 * @throws ExecaError with the output of the compiler
 */
async function buildHelper(build: HelperBuild): Promise<void> {
  const isForWindows = build.platform === 'win32' || build.tags?.includes(serviceRehearsal) === true
  await goBuild(build, join(tree, 'helper'), isForWindows ? './windows' : './program')
}

async function goBuild(
  { output, platform, architecture, tags = [], isRace = false }: HelperBuild,
  cwd: string,
  source: string,
): Promise<void> {
  const words = [
    'build',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags',
    '-s -w -buildid=',
    '-tags',
    tags.join(','),
    ...(isRace ? ['-race'] : []),
  ]
  await execa('go', [...words, '-o', resolve(output), source], {
    cwd,
    env: {
      CGO_ENABLED: isRace ? '1' : '0',
      GOOS: platform === 'win32' ? 'windows' : platform,
      GOARCH: goArchitectures[architecture] ?? architecture,
      GOFLAGS: '-mod=readonly',
      GOTOOLCHAIN: 'local',
    },
  })
}

/**
 * Builds a program of a Go module of its own with dependencies.
 *
 * @returns whether the program exists; false, with a message, if this Go is too old, or outside CI if the dependencies
 * can't be downloaded
 * @throws ExecaError with the output of the compiler
 */
async function buildModule(build: HelperBuild, module: string): Promise<boolean> {
  const downloaded = await downloadModules(module)
  if (downloaded) await goBuild(build, module, '.')
  else {
    // A program from before would not be what the sources are now.
    await rm(build.output, { force: true })
    process.stderr.write(
      `Left out: ${basename(build.output)}, which needs Go ${await neededGo(module)} or newer, and its modules from Go's proxy.\n`,
    )
  }
  return downloaded
}

/** Returns the oldest Go that builds a module. */
async function neededGo(module: string): Promise<string> {
  const text = await readFile(join(module, 'go.mod'), 'utf8')
  return /^go (\S+)$/m.exec(text)?.[1] ?? ''
}

/** Returns whether the modules that a module needs are there. */
export async function downloadModules(module: string): Promise<boolean> {
  const { stdout } = await execa('go', ['env', 'GOVERSION'], { env: { GOTOOLCHAIN: 'local' } })
  const [has, needs] = [stdout.replace(/^go/, ''), await neededGo(module)].map((version) =>
    version.split('.').map(Number),
  )
  const difference = [0, 1, 2]
    .map((part) => (has?.[part] ?? 0) - (needs?.[part] ?? 0))
    .find((each) => each !== 0)
  if (difference !== undefined && difference < 0) return false
  const { failed } = await execa('go', ['mod', 'download'], {
    cwd: module,
    env: { GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
    reject: process.env.CI === 'true',
  })
  return !failed
}

/**
 * Builds the helper for this computer if its sources are newer than the program.
 *
 * @returns whether the program exists; false without Go, and on other systems
 */
export async function buildOwnHelper(): Promise<boolean> {
  return buildHelperFor(process.platform, process.arch)
}

/** Does the same for another computer. */
export async function buildHelperFor(platform: NodeJS.Platform, architecture: string): Promise<boolean> {
  if (!isPlatform(platform) || !(await hasGo())) return false
  await buildIfChanged({ output: builtHelperFor(platform), platform, architecture })
  if (platform !== 'win32')
    await ifChanged(builtUserspaceWireGuard, [userspaceWireGuard], async () => {
      await buildModule({ output: builtUserspaceWireGuard, platform, architecture }, userspaceWireGuard)
    })
  return true
}

/**
 * Builds the helper for a package, and beside it the program for user space, on Windows the service.
 *
 * @returns whether both could be built
 */
export async function buildForPackage(build: HelperBuild): Promise<boolean> {
  await buildHelper(build)
  const [name, module] =
    build.platform === 'win32'
      ? (['causeway-service.exe', windowsService] as const)
      : (['causeway-wireguard', userspaceWireGuard] as const)
  return buildModule({ ...build, output: join(dirname(build.output), name) }, module)
}

function isPlatform(platform: string | undefined): platform is Platform {
  return platforms.some((each) => each === platform)
}

/** The variants of the helper that tests use, named after their build tags (helper/*.go). */
const testHelpers = ['macos_rehearsal', 'killpoints', 'macos_rehearsal,killpoints', serviceRehearsal].map(
  (tags) => join(tree, 'node_modules', '.cache', 'causeway-helper', tags),
)

/** Builds the helper and its variants before the tests; Vitest calls this. */
export async function setup(): Promise<void> {
  if (!(await buildOwnHelper())) {
    process.stderr.write('Left out, because Go is not installed: the tests of the helper.\n')
    return
  }
  if (process.platform !== 'linux') return
  for (const output of testHelpers) {
    await buildIfChanged({
      output,
      platform: 'linux',
      architecture: process.arch,
      tags: basename(output).split(','),
    })
  }
}

/** Builds the helper and the program for user space with the race detector, and returns their folder. */
export async function buildWithRaceDetector(): Promise<string> {
  const folder = join(tree, 'node_modules', '.cache', 'causeway-helper', 'race')
  const build = { platform: 'linux', architecture: process.arch, isRace: true } as const
  await mkdir(folder, { recursive: true })
  await buildHelper({ ...build, output: join(folder, 'causeway-helper') })
  await buildModule({ ...build, output: join(folder, 'causeway-wireguard') }, userspaceWireGuard)
  return folder
}

/** Builds the service of Windows with models of what Wine lacks, for tests; returns whether it could be built. */
export async function buildModelService(output: string): Promise<boolean> {
  const build = { output, platform: 'win32', architecture: 'x64', tags: ['causeway_model'] } as const
  return buildModule(build, windowsService)
}

async function buildIfChanged(build: HelperBuild): Promise<void> {
  const [helper, windows] = [join(tree, 'helper'), join(tree, 'helper', 'windows')]
  const isOfWindows = build.platform === 'win32' || build.tags?.includes(serviceRehearsal) === true
  const folders = isOfWindows ? [helper, windows] : [helper]
  await ifChanged(build.output, folders, () => buildHelper(build))
}

/** Calls `build` if a file in the folders is newer than its output. */
async function ifChanged(
  output: string,
  folders: readonly string[],
  build: () => Promise<void>,
): Promise<void> {
  const listed = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  )
  const changed = await Promise.all([...folders, ...listed.flat()].map(modificationTime))
  if ((await modificationTime(output)) > Math.max(...changed)) return
  await mkdir(dirname(output), { recursive: true })
  await build()
}

async function modificationTime(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

if (isStarted(import.meta.url)) {
  answerHelp(
    'Usage: npm run build:helper\n\nBuilds the privileged helper with Go and prints its path. Nothing is installed.',
  )
  // Packages pass the output path, and the system and processor of another computer.
  const [output, platform, architecture] = process.argv.slice(2)
  if (output !== undefined && isPlatform(platform) && architecture !== undefined)
    await buildForPackage({ output, platform, architecture })
  else if (await buildOwnHelper()) console.log(builtHelper)
  else {
    console.error('The helper needs Go 1.19 or newer (Debian: golang-go).')
    process.exitCode = 1
  }
}
