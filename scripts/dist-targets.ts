import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Returns the packages that are made for a system, the quickest first. */
export function targetsOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['pkg', 'dmg', 'zip']
  if (platform === 'win32') return ['nsis', 'msi']
  return ['tar.gz', 'AppImage', 'deb', 'rpm']
}

/** Programs that electron-builder can't download, with the packages that bring them. */
const programs: Readonly<Record<string, { readonly name: string; readonly from: string }>> = {
  rpm: { name: 'rpmbuild', from: 'rpm on Debian, rpm-build on Fedora' },
  flatpak: { name: 'flatpak-builder', from: 'flatpak-builder' },
}

/** Returns a sentence about what is missing for a target, or undefined. */
export async function missingFor(
  target: string,
  find: (program: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const needed = programs[target]
  if (needed === undefined || (await find(needed.name)) !== undefined) return undefined
  return `It needs the program ${needed.name} (package ${needed.from}).`
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
    /fpm/,
    'fpm. Install it with Ruby (on Debian: apt install ruby, then gem install fpm) so that it is on PATH, or name it in CUSTOM_FPM_PATH',
  ],
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
