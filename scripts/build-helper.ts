import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'

const tree = join(import.meta.dirname, '..')

interface HelperBuild {
  readonly output: string
  readonly platform: 'linux' | 'darwin'
  /** Processor in Node's naming. */
  readonly architecture: string
  /** Build tags; none for the released program. */
  readonly tags?: readonly string[]
}

/** Path of the helper for this computer, where the app looks for it. */
export const builtHelper = join(tree, 'out', 'helper', 'causeway-helper')

const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', armv7l: 'arm' }

/** Returns whether a Go compiler is installed. */
async function hasGo(): Promise<boolean> {
  const { failed } = await execa('go', ['version'], { reject: false })
  return !failed
}

/**
 * Builds the privileged helper as one static program. The build is reproducible.
 *
 * @throws ExecaError with the output of the compiler
 */
async function buildHelper({ output, platform, architecture, tags = [] }: HelperBuild): Promise<void> {
  const words = [
    'build',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags',
    '-s -w -buildid=',
    '-tags',
    tags.join(','),
  ]
  await execa('go', [...words, '-o', output, '.'], {
    cwd: join(tree, 'helper'),
    env: {
      CGO_ENABLED: '0',
      GOOS: platform,
      GOARCH: goArchitectures[architecture] ?? architecture,
      GOFLAGS: '',
      GOTOOLCHAIN: 'local',
    },
  })
}

/**
 * Builds the helper for this computer if its sources are newer than the program.
 *
 * @returns whether the program exists; false on Windows and without Go
 */
export async function buildOwnHelper(): Promise<boolean> {
  const { platform, arch: architecture } = process
  if ((platform !== 'linux' && platform !== 'darwin') || !(await hasGo())) return false
  await buildIfChanged({ output: builtHelper, platform, architecture })
  return true
}

/** The variants of the helper that tests use: `macos_rehearsal` and `killpoints` (helper/*.go). */
const testHelpers = {
  macos: join(tree, 'node_modules', '.cache', 'causeway-helper', 'macos_rehearsal'),
  killpoints: join(tree, 'node_modules', '.cache', 'causeway-helper', 'killpoints'),
} as const

/** Builds the helper and its variants before the tests; Vitest calls this. */
export async function setup(): Promise<void> {
  if (!(await buildOwnHelper())) {
    process.stderr.write('Left out, because Go is not installed: the tests of the helper.\n')
    return
  }
  if (process.platform !== 'linux') return
  for (const output of Object.values(testHelpers)) {
    await buildIfChanged({ output, platform: 'linux', architecture: process.arch, tags: [basename(output)] })
  }
}

async function buildIfChanged(build: HelperBuild): Promise<void> {
  const sources = (await readdir(join(tree, 'helper'))).map((name) => join(tree, 'helper', name))
  const changed = await Promise.all([join(tree, 'helper'), ...sources].map(modificationTime))
  if ((await modificationTime(build.output)) > Math.max(...changed)) return
  await mkdir(dirname(build.output), { recursive: true })
  await buildHelper(build)
}

async function modificationTime(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Packages pass the output path, and the system and processor of another computer.
  const [output, platform, architecture] = process.argv.slice(2)
  if (output !== undefined && (platform === 'linux' || platform === 'darwin') && architecture !== undefined) {
    await buildHelper({ output, platform, architecture })
  } else if (await buildOwnHelper()) console.log(builtHelper)
  else {
    console.error('The helper needs Go 1.19 or newer (Debian: golang-go), on Linux or macOS.')
    process.exitCode = 1
  }
}
