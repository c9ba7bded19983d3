import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { z } from 'zod'
import { missingElectron } from './electron-runtime'
import { failureOf, missingFor, programPath, targetsOf } from './dist-targets'

const help = `Usage: npm run dist [-- [targets…] [--arch x64|arm64] [--stage build|package] [--allow-missing]]

Builds the packages of Causeway for this system into dist/, with a list of their components (CycloneDX) and checksums.
Without targets it builds all that can be built here: ${targetsOf(process.platform).join(', ')}.
It fails if one of them couldn't be built, unless --allow-missing is given; without any, it always fails.
--stage build only builds the app; --stage package makes the packages of it, the only part that needs keys for signing.

Environment:
  ELECTRON_OVERRIDE_DIST_PATH  the folder of an Electron runtime to package, instead of downloading one
  CUSTOM_FPM_PATH              the program fpm, for deb and rpm
  SOURCE_DATE_EPOCH            the time of every file, so that the same sources give the same packages`

const tree = join(import.meta.dirname, '..')
const output = join(tree, 'dist')

interface Wanted {
  readonly targets: readonly string[]
  readonly arch: 'x64' | 'arm64'
  readonly stages: readonly Stage[]
  readonly allowsMissing: boolean
}

const stages = ['build', 'package'] as const
type Stage = (typeof stages)[number]

function readArguments(): Wanted | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      arch: { type: 'string', default: process.arch },
      stage: { type: 'string' },
      'allow-missing': { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return undefined
  if (values.arch !== 'x64' && values.arch !== 'arm64') throw new Error('--arch must be x64 or arm64.')
  const { stage } = values
  const chosen = stages.filter((each) => stage === undefined || stage === each)
  if (chosen.length === 0) throw new Error(`--stage must be ${stages.join(' or ')}.`)
  const known = [...targetsOf(process.platform), ...(process.platform === 'linux' ? ['flatpak'] : [])]
  const unknown = positionals.find((target) => !known.includes(target))
  if (unknown !== undefined)
    throw new Error(`There is no target ${unknown} on this system; use ${known.join(', ')}.`)
  return {
    targets: positionals,
    arch: values.arch,
    stages: chosen,
    allowsMissing: values['allow-missing'],
  }
}

/** Returns variables for electron-builder that name programs of this system, so that it doesn't download them. */
async function toolEnvironment(): Promise<Record<string, string>> {
  const tools = { CUSTOM_FPM_PATH: 'fpm', ELECTRON_BUILDER_7ZIP_PATH: '7za' }
  const found: Record<string, string> = {}
  for (const [variable, name] of Object.entries(tools)) {
    const path = process.env[variable] ?? (await programPath(name))
    if (path !== undefined && path !== '') found[variable] = path
  }
  return found
}

async function builder(args: readonly string[], env: Record<string, string>): Promise<string | undefined> {
  const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
  const dist = runtime === '' ? [] : [`-c.electronDist=${runtime}`]
  const run = execa('electron-builder', [...args, ...dist, '--publish', 'never'], {
    cwd: tree,
    env,
    preferLocal: true,
    reject: false,
    all: true,
  })
  const { failed, all } = await run
  return failed ? failureOf(all) : undefined
}

/** Packs the app once, and makes each Linux package from the same folder. Returns why targets could not be built. */
async function buildForLinux(targets: readonly string[], arch: string, env: Record<string, string>) {
  const failures: Record<string, string> = {}
  console.log('Packing the app…')
  const packed = await builder(['--linux', '--dir', `--${arch}`], env)
  if (packed !== undefined) throw new Error(`The app couldn't be packed: ${packed}`)
  const folder = join(output, arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`)
  for (const target of targets) {
    console.log(`Making ${target}…`)
    const why = await builder(['--linux', target, `--${arch}`, '--prepackaged', folder], env)
    if (why !== undefined) failures[target] = why
  }
  return failures
}

async function buildElsewhere(targets: readonly string[], env: Record<string, string>): Promise<void> {
  const system = process.platform === 'darwin' ? '--mac' : '--win'
  console.log(`Making ${targets.join(', ')}…`)
  const why = await builder([system, ...targets], env)
  if (why !== undefined) throw new Error(`The packages couldn't be built: ${why}`)
}

/** Removes the time of packing from the header of gzip archives (RFC 1952, MTIME), which differs with each run. */
async function removeTimes(): Promise<void> {
  for (const name of (await readdir(output)).filter((entry) => entry.endsWith('.gz'))) {
    const archive = await open(join(output, name), 'r+')
    await archive.write(Buffer.alloc(4), 0, 4, 4)
    await archive.close()
  }
}

/** Copies the list of components beside the packages, and writes the checksums of all of them. */
async function describePackages(): Promise<readonly string[]> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(tree, 'package.json'), 'utf8')))
  await copyFile(
    join(tree, 'out', 'package', 'causeway.cdx.json'),
    join(output, `causeway-${version}.cdx.json`),
  )
  const files = (await readdir(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/^(builder-|SHA256SUMS$)|\.(blockmap|yml)$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
  const lines = await Promise.all(
    files.map(async (name) => {
      const hash = createHash('sha256')
      await pipeline(createReadStream(join(output, name)), hash)
      return `${hash.digest('hex')}  ${name}\n`
    }),
  )
  await writeFile(join(output, 'SHA256SUMS'), lines.join(''))
  return files
}

/** The exit status if something that was wanted couldn't be made. */
const leftOut = 1

/** Removes the packages of an earlier run; what other scripts made stays, such as the package of the mock server. */
async function emptyOutput(): Promise<void> {
  const names = await readdir(output).catch(() => [])
  for (const name of names.filter((each) => each !== 'mock-server'))
    await rm(join(output, name), { recursive: true, force: true })
}

async function dist(): Promise<number> {
  const wanted = readArguments()
  if (wanted === undefined) {
    console.log(help)
    return 0
  }
  const failures: Record<string, string> = {}
  const able: string[] = []
  if (wanted.stages.includes('package')) {
    for (const target of wanted.targets.length > 0 ? wanted.targets : targetsOf(process.platform)) {
      const missing = await missingFor(target, programPath)
      if (missing === undefined) able.push(target)
      else failures[target] = missing
    }
    // Told before the minutes that the others take.
    for (const [target, reason] of Object.entries(failures)) console.log(`Can't make ${target}. ${reason}`)
    if (able.length === 0) return leftOut
  }
  if (wanted.stages.includes('build')) {
    console.log('Building the app…')
    await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  }
  if (!wanted.stages.includes('package')) return 0
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`There is no Electron runtime to package. ${why}.`)
  const env = await toolEnvironment()
  await emptyOutput()
  if (process.platform === 'linux') Object.assign(failures, await buildForLinux(able, wanted.arch, env))
  else await buildElsewhere(able, env)
  await removeTimes()
  const files = await describePackages()
  console.log(`\nIn dist/: ${[...files, 'SHA256SUMS'].join(', ')}`)
  for (const [target, reason] of Object.entries(failures)) console.log(`Left out: ${target}. ${reason}`)
  const built = able.some((target) => failures[target] === undefined)
  return built && (wanted.allowsMissing || Object.keys(failures).length === 0) ? 0 : leftOut
}

try {
  process.exitCode = await dist()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
