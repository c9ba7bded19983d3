import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getConfig } from 'app-builder-lib/out/util/config/config.js'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'

import { helperSocket } from './find-helper'
import { findHelperFiles, helperTargets } from './helper-files'

const tree = path.resolve(import.meta.dirname, '../..')
const configuration = await getConfig(tree, 'electron-builder.yml', null)

/** The packages of other systems are not built there. */
const onWindows = process.platform === 'win32'

interface Resource {
  readonly from: string
  readonly to: string
}

const resources = {
  linux: helperResources(configuration.linux?.extraResources as Resource[]),
  darwin: helperResources(configuration.mac?.extraResources as Resource[]),
}

function helperResources(all: readonly Resource[]): Resource[] {
  return all.filter(({ to }) => to.startsWith('helper/'))
}

/** An old Go leaves WireGuard in user space out, and then builds no package for Linux or macOS. */
const isComplete = existsSync(path.join(tree, 'out/helper/causeway-wireguard'))

describe.skipIf(onWindows || !isComplete).each(['linux', 'darwin'] as const)(
  'packages for %s',
  (platform) => {
    const files = findHelperFiles(platform, '/', tree) ?? []

    it('contain every file of the helper under the expected names', () => {
      expect(files.length).toBe({ linux: 3, darwin: 4 }[platform])
      const wanted = files.map(({ source }) => ({
        from: inPackage(source),
        to: `helper/${path.basename(source)}`,
      }))
      const byName = (one: Resource, other: Resource) => one.to.localeCompare(other.to)
      expect([...resources[platform]].sort(byName)).toEqual(wanted.sort(byName))
    })

    it('contain executable programs', async () => {
      for (const { source } of files.filter(({ mode }) => mode === '0755')) {
        expect((await stat(source)).mode & 0o111, source).toBe(0o111)
      }
    })
  },
)

it('a Windows package contains the helper for its processor, where Causeway looks for it, and the service with its library', () => {
  const programs = ['causeway-helper.exe', 'causeway-service.exe', 'wintun.dll']
  expect(configuration.win?.extraResources).toEqual([
    ...programs.map((name) => ({ from: `out/helper/package/\${arch}/${name}`, to: `helper/${name}` })),
    { from: 'build/licenses/wintun.txt', to: 'licenses/Wintun.txt' },
  ])
})

/** Returns the path in a package, whose helper is built for the package's processor (build/before-pack.mjs). */
function inPackage(source: string): string {
  return path.relative(tree, source).replace('out/helper/', 'out/helper/package/')
}

it.skipIf(onWindows || !isComplete)(
  'a pkg package installs the same files as `causeway helper install`, from the folder of its script',
  async () => {
    const made = await mkdtemp(path.join(tmpdir(), 'causeway-pkg-'))
    onTestFinished(() => rm(made, { recursive: true, force: true }))
    const [scripts, volume] = [path.join(made, 'scripts'), path.join(made, 'volume')]
    await mkdir(scripts)
    expect(configuration.pkg?.scripts).toBe('../out/helper/installer')
    await copyFile(path.join(tree, 'build/macos/postinstall'), path.join(scripts, 'postinstall'))
    const files = findHelperFiles('darwin', volume, tree) ?? []
    for (const { source } of files) {
      await writeFile(path.join(scripts, path.basename(source)), path.basename(source))
    }
    // Only root can change owners, and launchd knows the system's own volume only.
    await writeFile(path.join(made, 'chown'), '#!/bin/sh\n[ "$1" = 0:0 ]\n', { mode: 0o755 })
    await writeFile(path.join(made, 'launchctl'), '#!/bin/sh\ntouch "$0.log"\n', { mode: 0o755 })
    const env = { PATH: `${made}:${process.env.PATH ?? ''}` }

    await execa(path.join(scripts, 'postinstall'), ['a.pkg', '/Applications', volume], { env })

    for (const { source, target, mode } of files) {
      expect(await readFile(target, 'utf8')).toBe(path.basename(source))
      expect((await stat(target)).mode & 0o777).toBe(Number.parseInt(mode, 8))
    }
    expect(await readdir(path.dirname(files[0]?.target ?? ''))).toEqual([
      'causeway-askpass',
      'causeway-helper',
      'causeway-wireguard',
    ])
    expect(await readdir(made)).not.toContain('launchctl.log')
  },
)

it.skipIf(onWindows)(
  "packages set the modes of the helper's files, also in a checkout that group members may write",
  async () => {
    const hook = await readFile(path.join(tree, String(configuration.beforePack)), 'utf8')
    for (const platform of ['linux', 'darwin'] as const) {
      for (const { source, mode } of findHelperFiles(platform, '/', tree) ?? []) {
        expect(hook).toContain(`'${inPackage(source)}': 0o${mode.slice(1)}`)
      }
    }
  },
)

it.skipIf(onWindows)(
  'launchd starts the installed helper, for connections to the socket that Causeway uses',
  async () => {
    const [program, , , daemon = ''] = helperTargets('darwin', '/')
    const text = await readFile(path.join(tree, 'build/macos/org.causeway.helper.plist'), 'utf8')
    const values = [...text.matchAll(/<(key|string|integer)>([^<]*)<\/\1>|<(true|false)\/>/g)].map(
      ([, , value, flag]) => value ?? flag,
    )
    expect(path.basename(daemon, '.plist')).toBe(values[values.indexOf('Label') + 1])
    const followers = (key: string, count: number) => {
      const at = values.indexOf(key) + 1
      return values.slice(at, at + count)
    }
    expect(followers('ProgramArguments', 2)).toEqual([program, 'serve'])
    expect(followers('SockPathName', 3)).toEqual([helperSocket, 'SockPathMode', String(0o666)])
    expect(followers('inetdCompatibility', 2)).toEqual(['Wait', 'false'])
  },
)

it.skipIf(onWindows)(
  'removing a package ends the connections and kill switches of all users, but an upgrade does not',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-remove-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(path.join(folder, 'helper'), '#!/bin/sh\necho "$PKEXEC_UID$SUDO_UID$*"\n', {
      mode: 0o755,
    })
    const script = (await readFile(path.join(tree, 'build/linux/before-remove'), 'utf8')).replace(
      '/usr/libexec/causeway/causeway-helper',
      path.join(folder, 'helper'),
    )
    const env = { PKEXEC_UID: '20123' }
    const said = async (word: string) =>
      (await execa('/bin/sh', ['-c', script, 'prerm', word], { env })).stdout

    expect(await said('remove')).toBe('stop --all\nrelease --all')
    expect(await said('0')).toBe('stop --all\nrelease --all')
    expect(await said('upgrade')).toBe('')
    expect(await said('1')).toBe('')
  },
)
