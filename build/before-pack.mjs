import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { execFile } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { Arch } from 'electron-builder'

const execute = promisify(execFile)

const helper = 'out/helper/package/causeway-helper'
const wireGuard = 'out/helper/package/causeway-wireguard'

/** Files of packages, some of them installed with root's rights, and their modes. */
const modes = {
  'out/helper/package/causeway-helper': 0o755,
  'out/helper/package/causeway-wireguard': 0o755,
  'helper/org.causeway.helper.policy': 0o644,
  'helper/causeway-askpass': 0o755,
  'build/macos/org.causeway.helper.plist': 0o644,
  'build/linux/apparmor-profile': 0o644,
  LICENSE: 0o644,
}

/** Files in the macOS installer beside the app: its script, and what it installs as root. */
const installerFiles = [
  helper,
  wireGuard,
  'helper/causeway-askpass',
  'build/macos/org.causeway.helper.plist',
  'build/macos/postinstall',
]

/** The programs of Windows, and the library of the service (electron-builder.yml). */
const windowsFiles = ['causeway-helper.exe', 'causeway-service.exe', 'wintun.dll']

let packaged

/**
 * Writes the notices and the other files of a package, and builds the helper for its processor. Packages keep the modes of
 * files, and in a checkout the group may have write access. Causeway would refuse a helper installed like that.
 */
export async function beforePack({ packager, electronPlatformName: platform, arch }) {
  const tree = packager.projectDir
  if (platform === 'win32') await checkPinnedOpenVpn(tree)
  await run(tree, 'package-files.ts', await electronVersion(packager))
  if (platform === 'linux') {
    // Packages are assembled from these files while the next processor's build may already run.
    if (packaged !== undefined && packaged !== arch) throw new Error('Package for one processor at a time.')
    packaged = arch
    await buildHelper(tree, platform, Arch[arch])
  }
  if (platform === 'darwin') {
    // The app is for both processors.
    const halves = [
      await buildHelper(tree, platform, 'x64', 'x64'),
      await buildHelper(tree, platform, 'arm64', 'arm64'),
    ]
    for (const program of [helper, wireGuard]) {
      const files = halves.map((folder) => path.join(folder, path.basename(program)))
      await execute('lipo', ['-create', '-output', path.join(tree, program), ...files])
    }
    await fillInstaller(tree)
  }
  if (platform === 'win32') {
    const folder = await buildHelper(tree, platform, Arch[arch], Arch[arch], 'causeway-helper.exe')
    await run(tree, 'fetch-wintun.ts', folder, Arch[arch])
    requireFiles(folder)
  }
  for (const [file, mode] of Object.entries(modes))
    if (existsSync(path.join(tree, file))) await chmod(path.join(tree, file), mode)
}

/**
 * Throws an Error unless the OpenVPN of the Windows installer is pinned for both processors. The helper would refuse to start
 * any file, but only on the users' computers.
 */
export async function checkPinnedOpenVpn(tree) {
  const file = 'build/windows/openvpn.nsh'
  const text = await readFile(path.join(tree, file), 'utf8')
  const pins = [...text.matchAll(/^\s*!define\b.*\bOPENVPN_SHA256\b(.*)$/gm)]
  if (pins.length !== 2 || !pins.every(([, value]) => /^ "[0-9a-f]{64}"\s*$/.test(value)))
    throw new Error(
      `OPENVPN_SHA256 in ${file} has to be a quoted SHA-256 for both processors: 64 characters, 0-9 and a-f.`,
    )
}

/** Returns the version of the runtime, which may be in a folder of the user's own. */
async function electronVersion({ info, config }) {
  if (typeof config.electronDist !== 'string') return info.framework.version
  return (await readFile(path.join(config.electronDist, 'version'), 'utf8')).trim().replace(/^v/, '')
}

/** Throws an Error unless all files of the Windows service are there: electron-builder packs without those that are missing. */
export function requireFiles(folder) {
  const missing = windowsFiles.find((name) => !existsSync(path.join(folder, name)))
  if (missing !== undefined) throw new Error(`${missing} couldn't be built, so there is no package.`)
}

/** Builds the helper and the program for WireGuard, and returns their folder. */
async function buildHelper(tree, platform, arch, folder = '', name = path.basename(helper)) {
  const output = path.join(tree, path.dirname(helper), folder, name)
  await mkdir(path.dirname(output), { recursive: true })
  await run(tree, 'build-helper.ts', output, platform, arch)
  return path.dirname(output)
}

/** Copies the files of the macOS installer beside the app into one folder. */
async function fillInstaller(tree) {
  const folder = path.join(tree, 'out/helper/installer')
  await mkdir(folder, { recursive: true })
  for (const file of installerFiles) {
    const copy = path.join(folder, path.basename(file))
    await copyFile(path.join(tree, file), copy)
    await chmod(copy, 0o755)
  }
}

async function run(tree, script, ...words) {
  await execute(process.execPath, ['--import', 'tsx', path.join(tree, 'scripts', script), ...words], {
    cwd: tree,
    env: withoutKeys(process.env),
  })
}

/** Returns an environment without the keys for signing, which only electron-builder needs. */
export function withoutKeys(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(WIN_)?CSC_|^APPLE_API_/i.test(name)))
}
