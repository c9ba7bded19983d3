import { hash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { execa } from 'execa'
import { missingPrograms, programPath } from './dist-targets'
import { answerHelp } from './help'
import { releaseTime } from './package-files'
import { exitWith, isStarted } from './program'

const help = `Usage: npm run dist:repositories -- --key KEY [--packages FOLDER] [--output FOLDER]

Lays out package repositories for apt and dnf from the deb and rpm packages in a folder (default dist), and signs them with a
key of gpg. Copy the output (default dist/repositories) to a web server. docs/releasing.md has the rest.`

interface RepositoryOptions {
  /** The packages of all versions that the repositories offer. */
  readonly packages: readonly string[]
  readonly output: string
  /** Names the key of gpg. */
  readonly key: string
  readonly time: Date
}

const gpg = (key: string) => ['gpg', '--batch', '--yes', '--local-user', key] as const

/** Runs a program; its output is what it prints. Throws an error that has what it says about a failure. */
async function run([program, ...words]: readonly [string, ...string[]], cwd?: string): Promise<string> {
  const { stdout } = await execa(program, words, { cwd })
  return stdout
}

/** Lays out `apt/` for the suite `stable`, with its index signed in both forms that apt reads. */
export async function layOutApt({ packages, output, key, time }: RepositoryOptions): Promise<void> {
  const apt = join(output, 'apt')
  const suite = join(apt, 'dists', 'stable')
  const pool = join(apt, 'pool', 'main', 'c', 'causeway')
  await mkdir(pool, { recursive: true })
  const entries = new Map<string, string[]>()
  for (const from of [...packages].sort()) {
    const path = join(pool, basename(from))
    await copyFile(from, path)
    const content = await readFile(path)
    const fields = (await run(['dpkg-deb', '--field', path])).trim()
    const architecture = /^Architecture: (\S+)$/m.exec(fields)?.[1]
    if (architecture === undefined) throw new Error(`${basename(from)} names no architecture.`)
    const entry = [
      fields,
      `Filename: ${relative(apt, path)}`,
      `Size: ${content.length}`,
      `SHA256: ${hash('sha256', content)}`,
      '',
    ].join('\n')
    entries.set(architecture, [...(entries.get(architecture) ?? []), entry])
  }
  const indexes: [name: string, content: Buffer][] = []
  for (const [architecture, list] of entries) {
    const index = Buffer.from(list.join('\n'))
    const folder = `main/binary-${architecture}`
    indexes.push([`${folder}/Packages`, index], [`${folder}/Packages.gz`, gzipSync(index)])
  }
  for (const [name, content] of indexes) {
    await mkdir(dirname(join(suite, name)), { recursive: true })
    await writeFile(join(suite, name), content)
  }
  const release = [
    'Origin: Causeway',
    'Label: Causeway',
    'Suite: stable',
    'Codename: stable',
    `Date: ${time.toUTCString().replace('GMT', 'UTC')}`,
    `Architectures: ${[...entries.keys()].join(' ')}`,
    'Components: main',
    'SHA256:',
    ...indexes.map(([name, content]) => ` ${hash('sha256', content)} ${content.length} ${name}`),
    '',
  ].join('\n')
  await writeFile(join(suite, 'Release'), release)
  await run([...gpg(key), '--clearsign', '--output', 'InRelease', 'Release'], suite)
  await run([...gpg(key), '--armor', '--detach-sign', '--output', 'Release.gpg', 'Release'], suite)
}

/** Lays out `rpm/`: signed packages, and the index of createrepo_c with its signature. */
export async function layOutRpm({ packages, output, key }: RepositoryOptions): Promise<void> {
  const folder = join(output, 'rpm')
  await mkdir(folder, { recursive: true })
  // Debian's rpm looks for gpg in no folder.
  const macros = { _gpg_name: key, __gpg: (await programPath('gpg')) ?? 'gpg' }
  const defined = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`])
  for (const from of packages) {
    const path = join(folder, basename(from))
    await copyFile(from, path)
    await run(['rpmsign', '--addsign', ...defined, path])
  }
  await run(['createrepo_c', '--quiet', folder])
  const index = join(folder, 'repodata', 'repomd.xml')
  await run([...gpg(key), '--armor', '--detach-sign', '--output', `${index}.asc`, index])
}

const kinds = [
  {
    name: 'apt',
    extension: '.deb',
    layOut: layOutApt,
    programs: { 'dpkg-deb': 'dpkg', gpg: 'gnupg' },
  },
  {
    name: 'rpm',
    extension: '.rpm',
    layOut: layOutRpm,
    programs: {
      rpmsign: 'rpm on Debian, rpm-sign on Fedora',
      createrepo_c: 'createrepo-c on Debian, createrepo_c on Fedora',
      gpg: 'gnupg',
    },
  },
] as const

/** Returns sentences about the repositories that can't be made here. */
export async function layOutRepositories(
  folder: string,
  options: Omit<RepositoryOptions, 'packages'>,
  find: (program: string) => Promise<string | undefined> = programPath,
): Promise<string[]> {
  const skipped: string[] = []
  await rm(options.output, { recursive: true, force: true })
  await mkdir(options.output, { recursive: true })
  for (const { name, extension, layOut, programs } of kinds) {
    const files = (await readdir(folder)).filter((each) => each.endsWith(extension))
    const [missing] = await missingPrograms(programs, find)
    if (files.length === 0) skipped.push(`${name}: there is no ${extension} in ${folder}.`)
    else if (missing !== undefined) skipped.push(`${name}: it needs the program ${missing}.`)
    else await layOut({ ...options, packages: files.map((each) => join(folder, each)) })
  }
  if (skipped.length < kinds.length) {
    await writeFile(
      join(options.output, 'causeway.asc'),
      `${await run(['gpg', '--batch', '--armor', '--export', options.key])}\n`,
    )
  }
  return skipped
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      key: { type: 'string' },
      packages: { type: 'string', default: 'dist' },
      output: { type: 'string', default: join('dist', 'repositories') },
    },
  })
  if (values.key === undefined) throw new Error('Name the key that signs the repositories: --key KEY.')
  const skipped = await layOutRepositories(values.packages, {
    output: values.output,
    key: values.key,
    time: releaseTime(),
  })
  for (const sentence of skipped) console.log(`Left out: ${sentence}`)
  console.log(`In ${values.output}: ${(await readdir(values.output)).join(', ')}`)
  return skipped.length === kinds.length ? 1 : 0
}

if (isStarted(import.meta.url)) {
  answerHelp(help)
  await exitWith(main)
}
