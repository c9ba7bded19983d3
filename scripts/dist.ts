import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import packageJson from '../package.json' with { type: 'json' }
import { buildForPackage } from './build-helper'
import { emptyOutput, failureOf, missingFor, ownPackages, programPath, targetsOf } from './dist-targets'
import { missingElectron } from './electron-runtime'
import { answerHelp } from './help'
import { type Format, makePackage } from './linux-packages'
import { type PackageName, releaseTime, writePackageFiles } from './package-files'
import { writeRecipes } from './package-recipes'
import { exitWith } from './program'

const help = `Usage: npm run dist [-- [targets…] [--arch x64|arm64] [--stage build|package] [--allow-missing]]

Builds the packages of Causeway for this system into dist/, with lists of their components (CycloneDX) and checksums.
Without targets it builds all that can be built here: ${targetsOf(process.platform).join(', ')}.
cli-deb and cli-rpm have the terminal command alone, for servers. They need no Electron.
It fails if one of them couldn't be built, unless --allow-missing is given; without any, it always fails.
--stage build only builds the app; --stage package makes the packages of it, the only part that needs keys for signing.

Environment:
  ELECTRON_OVERRIDE_DIST_PATH  the folder of an Electron runtime to package, instead of downloading one
  SOURCE_DATE_EPOCH            the time of every file, so that the same sources give the same packages`

const tree = join(import.meta.dirname, '..')
const output = join(tree, 'dist')
const out = join(tree, 'out')

/** Returns the folder of the texts of a package. */
const packageTexts = (name: PackageName) => join(out, name === 'causeway' ? 'package' : `package-${name}`)

/** The exit status if something that was wanted couldn't be made. */
const leftOut = 1

/** The answer for all targets, because the first may take a download. */
let electron: Promise<string | undefined> | undefined

async function electronMissingFor(target: string): Promise<string | undefined> {
  if (!needsElectron(target)) return undefined
  electron ??= missingElectron()
  const why = await electron
  return why && `There is no Electron runtime to package. ${why}.`
}

function needsElectron(target: string): boolean {
  return ownPackages[target]?.name !== 'causeway-cli'
}

interface Wanted {
  readonly targets: readonly string[]
  readonly arch: 'x64' | 'arm64'
  readonly stages: readonly Stage[]
  readonly allowsMissing: boolean
}

const stages = ['build', 'package'] as const
type Stage = (typeof stages)[number]

function readArguments(): Wanted {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      arch: { type: 'string', default: process.arch },
      stage: { type: 'string' },
      'allow-missing': { type: 'boolean', default: false },
    },
  })
  if (values.arch !== 'x64' && values.arch !== 'arm64') throw new Error('--arch must be x64 or arm64.')
  const { stage } = values
  const chosen = stages.filter((each) => stage === undefined || stage === each)
  if (chosen.length === 0) throw new Error(`--stage must be ${stages.join(' or ')}.`)
  const known = [...targetsOf(process.platform), ...(process.platform === 'linux' ? ['flatpak'] : [])]
  const unknown = positionals.find((target) => !known.includes(target))
  if (unknown !== undefined)
    throw new Error(`There is no target ${unknown} on this system; use ${known.join(', ')}.`)
  return {
    targets: positionals.length > 0 ? positionals : targetsOf(process.platform),
    arch: values.arch,
    stages: chosen,
    allowsMissing: values['allow-missing'],
  }
}

/** Returns variables for electron-builder that name programs of this system, so that it doesn't download them. */
async function toolEnvironment(): Promise<Record<string, string>> {
  const tools = { ELECTRON_BUILDER_7ZIP_PATH: '7za' }
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
async function buildForLinux(targets: readonly string[], arch: Wanted['arch']) {
  const failures: Record<string, string> = {}
  const env = await toolEnvironment()
  const app = join(output, arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`)
  let packed: string | undefined
  if (targets.some(needsElectron)) {
    console.log('Packing the app…')
    packed = await builder(['--linux', '--dir', `--${arch}`], env)
  }
  for (const target of targets) {
    const own = ownPackages[target]
    const why = needsElectron(target) ? packed : undefined
    if (why === undefined) console.log(`Making ${target}…`)
    const failed =
      why ??
      (own === undefined
        ? await builder(['--linux', target, `--${arch}`, '--prepackaged', app], env)
        : await makeOwn(own.name, own.format, app, arch))
    if (failed !== undefined) failures[target] = failed
  }
  return failures
}

async function makeOwn(
  name: PackageName,
  format: Format,
  app: string,
  arch: Wanted['arch'],
): Promise<string | undefined> {
  const texts = packageTexts(name)
  const helper = join(out, 'helper', 'package')
  const program = { output: join(helper, 'causeway-helper'), platform: 'linux', architecture: arch } as const
  if (!(await buildForPackage(program))) return 'WireGuard in user space is missing.'
  // Those of the app are written when it is packed, because they name its Electron.
  if (name === 'causeway-cli') await writePackageFiles({ name, build: out }, texts)
  await makePackage(name, format, { build: out, texts, helper, app, arch, time: releaseTime() }, output)
  return undefined
}

async function buildElsewhere(targets: readonly string[]): Promise<void> {
  const system = process.platform === 'darwin' ? '--mac' : '--win'
  console.log(`Making ${targets.join(', ')}…`)
  const why = await builder([system, ...targets], await toolEnvironment())
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

/** Copies the lists of components beside the packages, and writes the checksums and the recipes of all of them. */
async function describePackages(names: ReadonlySet<PackageName>): Promise<readonly string[]> {
  for (const name of names)
    await copyFile(
      join(packageTexts(name), `${name}.cdx.json`),
      join(output, `${name}-${packageJson.version}.cdx.json`),
    )
  const files = (await readdir(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/^(builder-|SHA256SUMS$)|\.(blockmap|yml)$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
  const sums = await Promise.all(
    files.map(async (name) => {
      const hash = createHash('sha256')
      await pipeline(createReadStream(join(output, name)), hash)
      return [name, hash.digest('hex')] as const
    }),
  )
  const lines = sums.map(([name, sum]) => `${sum}  ${name}\n`)
  await writeFile(join(output, 'SHA256SUMS'), lines.join(''))
  const recipes = await writeRecipes(new Map(sums), join(output, 'recipes'))
  return [...files, ...recipes.map((name) => `recipes/${name}`)]
}

async function dist(): Promise<number> {
  const wanted = readArguments()
  const failures: Record<string, string> = {}
  const able: string[] = []
  if (wanted.stages.includes('package')) {
    for (const target of wanted.targets) {
      const missing = (await missingFor(target, programPath)) ?? (await electronMissingFor(target))
      if (missing === undefined) able.push(target)
      else failures[target] = missing
    }
    // Report it before the slow steps start.
    for (const [target, reason] of Object.entries(failures)) console.log(`Can't make ${target}. ${reason}`)
    if (able.length === 0) return leftOut
  }
  if (wanted.stages.includes('build')) {
    console.log('Building the app…')
    await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  }
  if (!wanted.stages.includes('package')) return 0
  await emptyOutput(output)
  if (process.platform === 'linux') Object.assign(failures, await buildForLinux(able, wanted.arch))
  else await buildElsewhere(able)
  await removeTimes()
  const made = able.filter((target) => failures[target] === undefined)
  const files = await describePackages(new Set(made.map((target) => ownPackages[target]?.name ?? 'causeway')))
  console.log(`\nIn dist/: ${[...files, 'SHA256SUMS'].join(', ')}`)
  for (const [target, reason] of Object.entries(failures)) console.log(`Left out: ${target}. ${reason}`)
  return made.length > 0 && (wanted.allowsMissing || Object.keys(failures).length === 0) ? 0 : leftOut
}

answerHelp(help)
await exitWith(dist)
