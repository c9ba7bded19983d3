import { access, constants, readdir, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Format } from './linux-packages'
import type { PackageName } from './package-files'

/** Returns the packages that are made for a system, the quickest first. */
export function targetsOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['pkg', 'dmg', 'zip']
  if (platform === 'win32') return ['nsis', 'msi']
  return [...Object.keys(ownPackages), 'tar.gz', 'AppImage']
}

/** Packages that scripts/linux-packages.ts makes. electron-builder makes the others. */
export const ownPackages: Readonly<
  Record<string, { readonly name: PackageName; readonly format: Format } | undefined>
> = {
  'cli-deb': { name: 'causeway-cli', format: 'deb' },
  'cli-rpm': { name: 'causeway-cli', format: 'rpm' },
  deb: { name: 'causeway', format: 'deb' },
  rpm: { name: 'causeway', format: 'rpm' },
}

/** Programs that electron-builder can't download, with the packages that bring them. */
const programs: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  deb: { 'dpkg-deb': 'dpkg' },
  rpm: { rpmbuild: 'rpm on Debian, rpm-build on Fedora' },
  flatpak: { 'flatpak-builder': 'flatpak-builder' },
}

/** Returns a sentence about what is missing for a target, or undefined. Every package has the helper, which Go builds. */
export async function missingFor(
  target: string,
  find: (program: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const needed = programs[ownPackages[target]?.format ?? target]
  const missing = await missingPrograms({ ...needed, go: 'golang-go on Debian, golang on Fedora' }, find)
  if (missing.length === 0) return undefined
  return `It needs the program${missing.length === 1 ? '' : 's'} ${missing.join(' and ')}.`
}

/** Returns those of the programs that can't be found, each with the package that brings it. */
export async function missingPrograms(
  needed: Readonly<Record<string, string>>,
  find: (program: string) => Promise<string | undefined>,
): Promise<string[]> {
  const missing: string[] = []
  for (const [name, from] of Object.entries(needed))
    if ((await find(name)) === undefined) missing.push(`${name} (package ${from})`)
  return missing
}

/** Returns the path of a program on PATH. */
export async function programPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      await access(path, constants.X_OK)
      return path
    } catch {
      continue
    }
  }
  return undefined
}

/** Tools that electron-builder downloads, by a part of their address. */
const downloads: readonly (readonly [RegExp, string])[] = [
  [
    /7zip|7za/,
    '7-Zip. Install it (on Debian: apt install p7zip-full) so that 7za is on PATH, or name it in ELECTRON_BUILDER_7ZIP_PATH',
  ],
  [/appimage/i, 'the AppImage tools'],
  [/nsis/i, 'NSIS'],
  [/wix/i, 'the WiX tools'],
]

/** Returns a sentence about why electron-builder failed, from its output. */
export function failureOf(text: string): string {
  const lines = text.split('\n')
  const isNetwork = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|status code \d+|cannot resolve/i
  const failed = lines.find((line) => line.includes('⨯')) ?? lines.find((line) => isNetwork.test(line))
  const network = lines.find((line) => isNetwork.test(line))
  const tool = downloads.find(([name]) => network !== undefined && name.test(network))
  if (tool !== undefined) return `electron-builder couldn't download ${tool[1]}.`
  const [reason = ''] = (failed ?? '').replace(/^.*⨯\s*/, '').split(/\s+(?:failedTask|stackTrace)=/)
  return reason === '' ? 'electron-builder failed without a reason.' : `electron-builder failed: ${reason}`
}

/** Removes the packages of an earlier run; what other scripts made stays, such as the package of the mock server. */
export async function emptyOutput(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each !== 'mock-server'))
    await rm(join(folder, name), { recursive: true, force: true })
}
