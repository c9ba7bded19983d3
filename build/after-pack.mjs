import { chmod, copyFile, lutimes, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { FuseV1Options, FuseVersion } from '@electron/fuses'

/** Every fuse is spelled out, so that a new default of Electron changes nothing unseen (docs/security.md). */
const fuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
}

/** Returns the fuses of the app on a system, by Electron's name of the system. */
export function fusesOf(platform) {
  // The terminal command on Linux runs in Node mode (build/linux/causeway).
  return platform === 'linux' ? { ...fuses, [FuseV1Options.RunAsNode]: true } : fuses
}

/** Sets the fuses; on Linux also puts the script that starts Causeway in Electron's place, and compresses Chromium's licences. */
export async function afterPack(context) {
  const { packager, electronPlatformName: platform, appOutDir } = context
  // The two halves of a universal app; the whole comes afterwards.
  if (platform === 'darwin' && /-(x64|arm64)-temp$/.test(appOutDir)) return
  await packager.addElectronFuses(context, {
    version: FuseVersion.V1,
    // Changing a fuse breaks Electron's own signature, and without a certificate nothing else signs the app.
    resetAdHocDarwinSignature: platform === 'darwin',
    ...fusesOf(platform),
  })
  if (platform === 'linux') {
    const program = path.join(appOutDir, packager.executableName)
    await rename(program, path.join(appOutDir, 'causeway-app'))
    await copyFile(path.join(packager.projectDir, 'build/linux/causeway'), program)
    await chmod(program, 0o755)
    for (const name of await readdir(appOutDir))
      if (/\.so(\.|$)/.test(name)) await chmod(path.join(appOutDir, name), 0o644)
    const licences = path.join(appOutDir, 'LICENSES.chromium.html')
    await writeFile(`${licences}.gz`, gzipSync(await readFile(licences), { level: 9 }))
    await rm(licences)
    // An app beside the archive, which some Electron runtimes bring.
    await rm(path.join(appOutDir, 'resources/app'), { recursive: true, force: true })
  }
  const epoch = process.env.SOURCE_DATE_EPOCH
  if (epoch !== undefined && epoch !== '') await setTimes(appOutDir, Number(epoch))
}

/** Sets the modification times of a folder and everything in it, for packages that are equal byte for byte. */
async function setTimes(folder, seconds) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await lutimes(path.join(entry.parentPath, entry.name), seconds, seconds)
  await lutimes(folder, seconds, seconds)
}
