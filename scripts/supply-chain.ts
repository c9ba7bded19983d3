import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { z } from 'zod'
import { buildForPackage } from './build-helper'
import { packageFolder } from './bundled-packages'
import {
  bundledGoModules,
  bundledList,
  bundledWintun,
  chosenLicense,
  copiedPackages,
} from './bundled-software'
import { writeFormatted } from './format-text'
import { answerHelp } from './help'
import { bundleMockServer } from './mock-package'
import { inTemporaryFolder, isStarted } from './program'
import { type Part, type SupplyChain, supplyChainPage, supplyChainSchema } from './supply-chain-page'

const usage = `Usage: npm run supply-chain [-- --update]

Writes docs/supply-chain.md: what is shipped, of which licence, from whom, how large and how old. Builds the app and the mock for that.
The dates are in scripts/supply-chain.json.

  --update  ask the package registries for the last releases`

const tree = join(import.meta.dirname, '..')
const file = join(tree, 'scripts', 'supply-chain.json')

const described = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
})

async function describePackage(folder: string): Promise<Pick<Part, 'name' | 'version' | 'license' | 'who'>> {
  const text = await readFile(join(tree, folder, 'package.json'), 'utf8')
  const { name, version, license, repository } = described.parse(JSON.parse(text))
  const address = typeof repository === 'string' ? repository : (repository?.url ?? '')
  return {
    name,
    version,
    license: chosenLicense(license) ?? license,
    who: address.replace(/\.git$/, '').replace(/^(?:github:|.*github\.com[:/])/, ''),
  }
}

/** Returns the npm packages in a build of the app, and of those in the mock server, without sizes that depend on the tools. */
export async function shippedPackages(build: string): Promise<Part[]> {
  const [main, renderer, command] = await Promise.all(
    (['main', 'renderer', 'cli'] as const).map((part) => bundledList(build, part)),
  )
  const sizes = new Map<string, number>()
  for (const part of ['main', 'renderer'])
    for (const line of await bundledList(build, `${part}-sizes`)) {
      const [folder = '', bytes] = line.split(' ')
      sizes.set(folder, (sizes.get(folder) ?? 0) + Number(bytes))
    }
  const copied = await copiedPackages(tree)
  for (const folder of copied) if (!sizes.has(folder)) sizes.set(folder, await sizeOf(join(tree, folder)))
  const mock = await mockSizes()
  const folders = [...new Set([...sizes.keys(), ...mock.keys(), ...(main ?? []), ...(renderer ?? [])])].sort()
  return Promise.all(
    folders.map(async (folder) => ({
      ...(await describePackage(folder)),
      kilobytes: Math.ceil((sizes.get(folder) ?? mock.get(folder) ?? 0) / 1000),
      where: [
        ...(sizes.has(folder) ? (['app'] as const) : []),
        ...(command?.includes(folder) === true || copied.includes(folder) ? (['command'] as const) : []),
        ...(mock.has(folder) ? (['mock'] as const) : []),
      ],
    })),
  )
}

async function mockSizes(): Promise<ReadonlyMap<string, number>> {
  return inTemporaryFolder('supply-chain', async (folder) => {
    const { outputs } = await bundleMockServer(folder)
    const sizes = new Map<string, number>()
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs))
        for (const name of packageFolder(path)) sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput)
    return sizes
  })
}

async function sizeOf(path: string): Promise<number> {
  const all = await readdir(path, { recursive: true, withFileTypes: true })
  const files = all.filter((each) => each.isFile())
  const sizes = await Promise.all(
    files.map(async (each) => (await stat(join(each.parentPath, each.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns Electron, whose size depends on the system, Go's library in the helper, and the modules in the program for WireGuard in user space. */
async function shippedRuntimes(folder: string): Promise<Part[]> {
  const helper = join(folder, 'causeway-helper')
  if (!(await buildForPackage({ output: helper, platform: 'linux', architecture: 'x64' })))
    throw new Error('WireGuard in user space is missing.')
  const kilobytes = async (path: string) => Math.ceil((await stat(path)).size / 1000)
  const wireGuard = await kilobytes(join(folder, 'causeway-wireguard'))
  const modules = await bundledGoModules(tree, 'linux')
  const listed = new Set(modules.map(({ name }) => name))
  const ofWindows = (await bundledGoModules(tree, 'win32')).filter(({ name }) => !listed.has(name))
  const { name: library, version: of } = await bundledWintun()
  return [
    { ...(await describePackage('node_modules/electron')), where: ['app'] },
    {
      name: 'Go (standard library)',
      version: 'of the computer that builds it',
      license: 'BSD-3-Clause',
      who: 'golang/go',
      kilobytes: await kilobytes(helper),
      where: ['helper'],
    },
    ...modules.map(({ name, version, license: of }) => ({
      name,
      version,
      license: of,
      who: name
        .replace('golang.org/x/', 'golang/')
        .replace('golang.zx2c4.com/wireguard', 'WireGuard/wireguard-go'),
      kilobytes: wireGuard,
      where: ['helper' as const],
    })),
    ...ofWindows.map(({ name, version, license }) => ({
      name,
      version,
      license,
      who: name
        .replace('golang.zx2c4.com/wireguard/windows', 'WireGuard/wireguard-windows')
        .replace('golang.zx2c4.com/wintun', 'WireGuard/wintun-go'),
      where: ['service' as const],
    })),
    // No registry has it.
    {
      name: `${library} (Windows)`,
      version: of,
      license: 'its own',
      who: 'WireGuard/wintun',
      where: ['service'],
    },
  ]
}

const registryAnswer = z.object({
  'dist-tags.latest': z.string(),
  time: z.record(z.string(), z.string()),
})

/**
 * Asks for the last release of a package. A registry of its own knows when each version was published, and when the package
 * was created; a mirror of one knows only when it first got a version, which isn't before that.
 */
async function lastRelease(name: string, before: SupplyChain['releases'][string] | undefined) {
  if (name.startsWith('golang.')) {
    const { stdout } = await execa('go', ['list', '-m', '-json', `${name}@latest`], {
      // It needs all modules of the other program, too.
      cwd: join(tree, 'helper', 'windows-service'),
      env: { GOFLAGS: '-mod=mod' },
    })
    const { Version, Time } = z.object({ Version: z.string(), Time: z.string() }).parse(JSON.parse(stdout))
    return { version: Version, date: Time.slice(0, 10) }
  }
  const { stdout } = await execa('npm', ['view', name, 'dist-tags.latest', 'time', '--json'])
  const { 'dist-tags.latest': version, time } = registryAnswer.parse(JSON.parse(stdout))
  const date = (time[version] ?? '').slice(0, 10)
  if (time.created !== undefined) return { version, date }
  if (before?.version === version) return before
  const known = before?.date === undefined ? before?.known : { version: before.version, date: before.date }
  return { version, by: date, known }
}

async function update(old: SupplyChain, parts: readonly Part[]): Promise<SupplyChain> {
  const releases: Record<string, SupplyChain['releases'][string]> = {}
  const names = [...new Set(parts.map(({ name }) => name))].filter((name) => !name.includes(' '))
  for (const name of names) releases[name] = await lastRelease(name, old.releases[name])
  return { ...old, asked: new Date().toISOString().slice(0, 10), releases }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } })
  await inTemporaryFolder('supply-chain', async (folder) => {
    const build = join(folder, 'out')
    await execa('electron-vite', ['build', '--outDir', build, '--logLevel', 'warn'], {
      cwd: tree,
      preferLocal: true,
      stdio: 'inherit',
    })
    const parts = [...(await shippedRuntimes(folder)), ...(await shippedPackages(build))]
    const old = supplyChainSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    const next = { ...(values.update ? await update(old, parts) : old), parts }
    await writeFormatted(file, JSON.stringify(next))
    const page = join(tree, 'docs', 'supply-chain.md')
    await writeFormatted(page, supplyChainPage(next))
    console.log(`Wrote ${relative(tree, file)} and ${relative(tree, page)}.`)
  })
}

if (isStarted(import.meta.url)) {
  answerHelp(usage)
  await main()
}
