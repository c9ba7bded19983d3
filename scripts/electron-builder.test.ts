import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FuseV1Options } from '@electron/fuses'
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { afterPack, fusesOf } from '../build/after-pack.mjs'
import { beforePack, checkPinnedOpenVpn, requireFiles } from '../build/before-pack.mjs'
import { artifactBuildStarted } from '../build/before-pkg.mjs'
import { msiProjectCreated } from '../build/msi-project.mjs'
import { languageNames } from '../contract/locales/languages'
import { globalOptions } from '../main/cli/global-options'
import { oldestOpenVpn } from '../main/tunnel/openvpn/find-openvpn'

const languages = Object.keys(languageNames)
const root = join(import.meta.dirname, '..')
const configuration = await getConfig(root, 'electron-builder.yml', null)

async function validate(candidate: typeof configuration): Promise<void> {
  await validateConfiguration(candidate, new DebugLogger(false))
}

it("passes electron-builder's validation, which refuses an unknown key", async () => {
  await expect(validate(configuration)).resolves.toBeUndefined()
  await expect(validate(Object.assign({ asarUnpacked: [] }, configuration))).rejects.toThrow('asarUnpacked')
})

it('prevents starting the app as plain Node with its rights, where that is a boundary', () => {
  for (const system of ['darwin', 'win32', 'linux']) {
    expect(fusesOf(system)).toMatchObject({
      [FuseV1Options.RunAsNode]: system === 'linux',
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
    })
  }
})

it('signs the app for macOS anew after changing its fuses, for Macs that start no program with a broken signature', async () => {
  const asked: unknown[] = []
  for (const [system, folder] of [
    ['darwin', 'mac-universal-x64-temp'],
    ['darwin', 'mac-universal'],
    ['win32', 'win-unpacked'],
  ] as const) {
    const appOutDir = join(await mkdtemp(join(tmpdir(), 'causeway-fuses-')), folder)
    onTestFinished(() => rm(dirname(appOutDir), { recursive: true, force: true }))
    await mkdir(appOutDir)
    const addElectronFuses = (_context: unknown, wanted: unknown) => Promise.resolve(asked.push(wanted))
    await afterPack({ packager: { addElectronFuses }, electronPlatformName: system, appOutDir })
  }
  expect(asked).toMatchObject([{ resetAdHocDarwinSignature: true }, { resetAdHocDarwinSignature: false }])
})

it("compresses Chromium's licences on Linux, which are 9 MB", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-pack-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const html = '<p>A licence.</p>'.repeat(1000)
  await writeFile(join(folder, 'LICENSES.chromium.html'), html)
  await writeFile(join(folder, 'causeway'), '')
  const packager = { addElectronFuses: () => Promise.resolve(), executableName: 'causeway', projectDir: root }
  await afterPack({ packager, electronPlatformName: 'linux', appOutDir: folder })
  expect((await readdir(folder)).sort()).toEqual(['LICENSES.chromium.html.gz', 'causeway', 'causeway-app'])
  const compressed = await readFile(join(folder, 'LICENSES.chromium.html.gz'))
  expect(gunzipSync(compressed).toString()).toBe(html)
  expect(compressed.length).toBeLessThan(html.length / 10)
})

it('makes each package for the processors that it is offered for', () => {
  const targets = (list: unknown) =>
    z.array(z.object({ target: z.string(), arch: z.union([z.string(), z.array(z.string())]) })).parse(list)
  expect(configuration.linux?.target).toEqual(['tar.gz', 'AppImage'])
  expect(targets(configuration.mac?.target)).toEqual(
    ['pkg', 'dmg', 'zip'].map((target) => ({ target, arch: 'universal' })),
  )
  expect(targets(configuration.win?.target)).toEqual(
    ['nsis', 'msi'].map((target) => ({ target, arch: ['x64', 'arm64'] })),
  )
})

it('signs the app for macOS for its own libraries only, and has Apple notarize it', async () => {
  const { mac } = configuration
  expect(mac?.hardenedRuntime).toBe(true)
  // Anything but false means: if the key of the notary service is there.
  expect(mac?.notarize).toBeUndefined()
  expect(mac?.identity).toBeUndefined()
  for (const file of [mac?.entitlements, mac?.entitlementsInherit]) {
    const text = await readFile(join(root, String(file)), 'utf8')
    expect(text.match(/(?<=<key>).*(?=<\/key>)/g)).toEqual(['com.apple.security.cs.allow-jit'])
  }
})

it('has both processors share what a universal app contains once: the key store and the helper', () => {
  const patterns = String(configuration.mac?.x64ArchFiles)
  expect(patterns).toBe('{**/prebuilds/darwin-*/**,Contents/Resources/helper/*}')
  expect(configuration.mac?.files).toContain('!node_modules/@github/keytar/prebuilds/!(darwin-*)/**')
  expect(configuration.asarUnpack).toContain('node_modules/@github/keytar/**')
})

it('installs the pkg for all users, and never over a copy in a folder of a user', () => {
  expect(configuration.pkg).toMatchObject({
    allowAnywhere: false,
    allowCurrentUserHome: false,
    isRelocatable: false,
  })
})

it('names the app for launchd as the package does', async () => {
  const daemon = await readFile(join(root, 'build/macos/org.causeway.helper.plist'), 'utf8')
  expect(/<key>AssociatedBundleIdentifiers<\/key>\s+<string>(.*)<\/string>/.exec(daemon)?.[1]).toBe(
    configuration.appId,
  )
})

it('puts the signed helper of the app into the pkg, before that is built', async () => {
  expect(configuration.artifactBuildStarted).toBe('build/before-pkg.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'causeway-pkg-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'dist/Causeway.pkg')
  const app = join(dirname(file), 'mac-universal', `${String(configuration.productName)}.app`)
  const programs = ['causeway-helper', 'causeway-wireguard']
  await mkdir(join(app, 'Contents/Resources/helper'), { recursive: true })
  for (const name of programs) {
    await writeFile(join(app, 'Contents/Resources/helper', name), 'signed')
    await writeFile(join(folder, name), 'unsigned', { mode: 0o600 })
  }

  await artifactBuildStarted({ targetPresentableName: 'zip', file }, folder)
  for (const name of programs) expect(await readFile(join(folder, name), 'utf8')).toBe('unsigned')
  await artifactBuildStarted({ targetPresentableName: 'pkg', file }, folder)
  for (const name of programs) {
    expect(await readFile(join(folder, name), 'utf8')).toBe('signed')
    if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o777).toBe(0o755)
  }
})

it('installs on Windows for the whole computer, in the languages of its texts', async () => {
  expect(configuration.nsis).toMatchObject({ perMachine: true, include: 'build/windows/installer.nsh' })
  // The installer checks its folder before its pages.
  expect(configuration.nsis?.allowToChangeInstallationDirectory ?? false).toBe(false)
  const installerLanguages = z.array(z.string()).parse(configuration.nsis?.installerLanguages)
  expect(installerLanguages.map((language) => language.slice(0, 2)).sort()).toEqual(languages.sort())
  const texts = await readFile(join(root, 'build/windows/texts.nsh'), 'utf8')
  const found = [...texts.matchAll(/^LangString (\w+) \$\{LANG_(\w+)\} "[^"]+"$/gm)]
  const names = new Set(found.map(([, name]) => name))
  const translated = new Set(found.map(([, , language]) => language))
  expect([names.size, translated.size, found.length]).toEqual([11, languages.length, 11 * languages.length])
})

it('calls plug-ins of the Windows installer only after electron-builder has named their folder', async () => {
  const included = await readFile(join(root, 'build/windows/installer.nsh'), 'utf8')
  expect(included).not.toMatch(/^\s*Function |\w::|\{isUpdated\}/m)
})

it('pins an OpenVPN that Causeway works with for the installer', async () => {
  const pinned = await readFile(join(root, 'build/windows/openvpn.nsh'), 'utf8')
  const values = (name: string) =>
    [...pinned.matchAll(new RegExp(`!define ${name} "?([^"\\n]+)`, 'g'))].map(([, value = '']) => value)
  const { major, minor } = oldestOpenVpn
  expect([values('OPENVPN_OLDEST_MAJOR'), values('OPENVPN_OLDEST_MINOR')]).toEqual([
    [String(major)],
    [String(minor)],
  ])
  expect(values('OPENVPN_VERSION')).toEqual([expect.stringMatching(/^2\.[67]\.\d+$/)])
  expect(values('OPENVPN_RELEASES')).toEqual([expect.stringMatching(/^https:\/\/swupdate\.openvpn\.org\//)])
  // For arm64 and x64.
  expect(values('OPENVPN_FILE')).toHaveLength(2)
  expect(values('OPENVPN_SHA256')).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
})

it('has the MSI check its folder, before anything else, and install the service', async () => {
  expect(configuration.msiProjectCreated).toBe('build/msi-project.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'causeway-msi-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const project = join(folder, 'project.wxs')
  const template = join(root, 'node_modules/app-builder-lib/templates/msi/template.xml')
  // As electron-builder's MsiTarget writes it.
  const file = (name: string) =>
    `<File Name="${name}" Source="$(var.appDir)\\resources\\helper\\${name}" ReadOnly="yes" KeyPath="yes"/>`
  const text = (await readFile(template, 'utf8')).replace(
    '{{-files}}',
    () =>
      `<Component>${file('causeway-helper.exe')}</Component><Component>${file('causeway-service.exe')}</Component>`,
  )
  await writeFile(project, text)
  await msiProjectCreated(project)
  const changed = await readFile(project, 'utf8')
  // The folder's property is the template's.
  expect(changed).toMatch(
    /<Condition [^>]*>[^<]*APPLICATIONFOLDER[^<]*<\/Condition><Property Id="REMOVEANYWAY" [^>]*\/><CustomAction [^]*<MajorUpgrade [^]*<Directory Id="APPLICATIONFOLDER"/,
  )
  expect(changed).toMatch(
    /<File Id="causewayService" Name="causeway-service.exe" [^>]*\/><ServiceControl [^>]* Stop="both" [^>]*\/><\/Component>/,
  )
  // While its program is still there.
  expect(changed).toContain(
    '<Custom Action="removeService" Sequence="1901">REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND NOT REMOVEANYWAY</Custom>',
  )
  // With the rights of the installer, which wixl gives without a word.
  const actions = changed.match(/<CustomAction [^>]* FileKey="causewayService" [^>]*>/g)
  expect(actions).toEqual(Array(4).fill(expect.stringMatching(/ Execute="\w+" [^>]* Impersonate="no"\/>$/)))
  // Nothing goes on when it couldn't undo something, and the MSI says so in its own words.
  expect(changed).toMatch(/<CustomAction Id="removeService" [^>]* Return="check" /)
  expect(changed).toMatch(
    /<UI><Error Id="1722">Causeway's service couldn't be installed or removed [^<]+<\/Error><\/UI>/,
  )
  await writeFile(project, text.replace(file('causeway-service.exe'), ''))
  await expect(msiProjectCreated(project)).rejects.toThrow('causeway-service.exe')
  await writeFile(project, '<Product></Product>')
  await expect(msiProjectCreated(project)).rejects.toThrow('MajorUpgrade')
})

it("packs the service of Windows with Wintun's library, which nobody but its authors signs", async () => {
  const packed = z
    .array(z.object({ from: z.string(), to: z.string() }))
    .parse(configuration.win?.extraResources)
    .map(({ to }) => to)
  for (const name of ['helper/causeway-service.exe', 'helper/wintun.dll', 'licenses/Wintun.txt'])
    expect(packed).toContain(name)
  // By default, electron-builder signs programs alone.
  expect(configuration.win?.signExts ?? []).toEqual([])
  const folder = await mkdtemp(join(tmpdir(), 'causeway-service-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['causeway-helper.exe', 'causeway-service.exe', 'wintun.dll']) {
    expect(() => {
      requireFiles(folder)
    }).toThrow(name)
    await writeFile(join(folder, name), '')
  }
  requireFiles(folder)
})

it('packs nothing for Windows if the checksum of an OpenVPN is missing, empty or malformed', async () => {
  await expect(checkPinnedOpenVpn(root)).resolves.toBeUndefined()
  const tree = await mkdtemp(join(tmpdir(), 'causeway-pinned-'))
  onTestFinished(() => rm(tree, { recursive: true, force: true }))
  const file = join(tree, 'build/windows/openvpn.nsh')
  await mkdir(dirname(file), { recursive: true })
  const pinned = await readFile(join(root, 'build/windows/openvpn.nsh'), 'utf8')
  const [line = '', sum = ''] = /!define OPENVPN_SHA256 "([^"]+)"/.exec(pinned) ?? []
  for (const wrong of [
    '',
    `!define OPENVPN_SHA256`,
    `#${line}`,
    ...['', sum.slice(1), `${sum}0`, sum.toUpperCase(), `sha256:${sum}`].map((value) =>
      line.replace(sum, value),
    ),
  ]) {
    await writeFile(file, pinned.replace(line, wrong))
    const packing = beforePack({ packager: { projectDir: tree }, electronPlatformName: 'win32' })
    await expect(packing, wrong).rejects.toThrow('OPENVPN_SHA256 in build/windows/openvpn.nsh has to be')
  }
})

it("names the desktop's actions like the buttons, in every language", async () => {
  const { entry, desktopActions } = z
    .object({
      entry: z.record(z.string(), z.string()),
      desktopActions: z.record(z.string(), z.record(z.string(), z.string())),
    })
    .parse(configuration.linux?.desktop)
  const metadata = await readFile(join(root, 'build/linux/org.causeway.app.metainfo.xml'), 'utf8')
  for (const language of languages) {
    const texts = z
      .object({ connect: z.string(), disconnect: z.string() })
      .parse(JSON.parse(await readFile(join(root, `contract/locales/${language}/connection.json`), 'utf8')))
    const key = (name: string) => (language === 'en' ? name : `${name}[${language}]`)
    expect(desktopActions.Connect?.[key('Name')]).toBe(texts.connect)
    expect(desktopActions.Disconnect?.[key('Name')]).toBe(texts.disconnect)
    for (const name of ['GenericName', 'Keywords']) expect(entry).toHaveProperty([key(name)])
    const comment = language === 'en' ? configuration.linux?.description : entry[key('Comment')]
    expect(metadata).toContain(`>${comment ?? ''}</summary>`)
  }
  expect(configuration.electronLanguages).toEqual(languages.sort())
})

it('knows in the start script which options have a value', async () => {
  const script = await readFile(join(root, 'build/linux/causeway'), 'utf8')
  const withValue = Object.keys(globalOptions).flatMap((flags) => {
    const [name = '', value] = flags.split(' ')
    return value === undefined ? [] : [name]
  })
  expect(/^ +(--.+)\) value_follows=1 ;;$/m.exec(script)?.[1]?.split(' | ').sort()).toEqual(withValue.sort())
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('the start script', () => {
  /** Starts it beside a program that tells how it was started, as an ordinary user on a display. */
  async function started(...words: string[]): Promise<string[]> {
    return startedBy([], words)
  }

  async function startedBy(before: readonly string[], words: readonly string[]): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-start-'))
    try {
      await copyFile(join(root, 'build/linux/causeway'), join(folder, 'causeway'))
      const tell =
        '#!/bin/sh\nprintf "%s\\n" "${ELECTRON_RUN_AS_NODE-window}" ${CAUSEWAY_IGNORES_HANGUP+nohup} "$@"\n'
      await writeFile(join(folder, 'causeway-app'), tell, { mode: 0o755 })
      await chmod(folder, 0o755)
      await chmod(join(folder, 'causeway'), 0o755)
      const env = { DISPLAY: ':9', ELECTRON_RUN_AS_NODE: '1' }
      const run = [...before, join(folder, 'causeway'), ...words] as const
      const { stdout } = await execa('env', run, { env, uid: 65_534 })
      return stdout.split('\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('opens the window from inside another Electron program', async () => {
    expect(await started()).toEqual(['window'])
    expect(await started('app', '--hidden')).toEqual(['window', '--hidden'])
    expect((await started('status'))[0]).toBe('1')
  })

  it('tells a command that nohup has started it', async () => {
    expect((await startedBy(['nohup'], ['outside']))[1]).toBe('nohup')
    expect(await started('outside')).not.toContain('nohup')
  })

  it('opens links in any case', async () => {
    for (const link of ['causeway://add/vpn.example.org', 'CAUSEWAY://add/vpn.example.org'])
      expect(await started(link)).toEqual(['window', link])
  })
})
