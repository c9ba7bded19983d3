import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { helperHere } from './helper-files'
import {
  allowedGroups,
  allowHelper,
  denyHelper,
  helperStatus,
  installHelper,
  installHelperInWindow,
  removeHelper,
} from './install-helper'

const tree = path.resolve(import.meta.dirname, '../..')

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'causeway-install-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Only root can change owners; everything is installed under another folder. */
describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('installing the helper', () => {
  it('installs every file for root alone, detects another version, and removes all', async () => {
    const root = await folder()
    expect(await helperStatus({ root })).toBe('not-installed')
    await installHelper({ root })
    expect(await helperStatus({ root })).toBe('installed')

    const helper = path.join(root, 'usr/libexec/causeway/causeway-helper')
    expect(await stat(helper)).toMatchObject({ uid: 0, gid: 0, mode: 0o100755 })
    const policy = path.join(root, 'usr/share/polkit-1/actions/org.causeway.helper.policy')
    expect(await stat(policy)).toMatchObject({ uid: 0, gid: 0, mode: 0o100644 })
    expect(await readFile(policy, 'utf8')).toContain('>/usr/libexec/causeway/causeway-helper</annotate>')

    await writeFile(helper, 'of another version')
    expect(await helperStatus({ root })).toBe('other-version')
    await removeHelper({ root })
    expect(await helperStatus({ root })).toBe('not-installed')
    await expect(stat(path.dirname(helper))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  /** Copies what is installed from a source tree into a folder, with package.json if the folder is a tree. */
  async function copyTree(to: string, isTree = true, files = sources): Promise<void> {
    for (const file of [...(isTree ? ['package.json'] : []), ...files]) {
      await mkdir(path.dirname(path.join(to, file)), { recursive: true })
      await copyFile(path.join(tree, file), path.join(to, file))
    }
  }
  const sources = ['out/helper/causeway-helper', 'helper/org.causeway.helper.policy']
  const macosSources = [
    'out/helper/causeway-helper',
    'helper/causeway-askpass',
    'build/macos/org.causeway.helper.plist',
  ]
  /** What others have made of a file or folder. */
  interface Found {
    readonly uid?: number
    readonly gid?: number
    readonly mode?: number
    readonly platform?: 'darwin'
  }

  it('installs the helper without WireGuard in user space, which an old Go does not build', async () => {
    const [root, source] = [await folder(), await folder()]
    await copyTree(source)
    await installHelper({ root, startAt: source })
    expect(await helperStatus({ root, startAt: source })).toBe('installed')
    expect(existsSync(path.join(root, 'usr/libexec/causeway/causeway-wireguard'))).toBe(false)
    await writeFile(path.join(source, 'out/helper/causeway-wireguard'), 'built by a newer Go')
    expect(await helperStatus({ root, startAt: source })).toBe('other-version')
    await installHelper({ root, startAt: source })
    expect(await helperStatus({ root, startAt: source })).toBe('installed')
    await removeHelper({ root })
    expect(existsSync(path.join(root, 'usr/libexec/causeway'))).toBe(false)
  })

  it.each([
    ['a symbolic link', (to: string) => symlink('/etc/shadow', to)],
    ['a folder', (to: string) => mkdir(to)],
  ])('rejects a source that is %s', async (_what, make) => {
    const [root, source] = [await folder(), await folder()]
    await copyTree(source)
    await rm(path.join(source, 'out/helper/causeway-helper'))
    await make(path.join(source, 'out/helper/causeway-helper'))
    await expect(installHelper({ root, startAt: source })).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'not-plain-file',
    })
    expect(await helperStatus({ root })).toBe('not-installed')
  })

  it.each(['a tree', 'a folder', 'a package'])(
    'takes nothing from %s around its own tree, which others may have made',
    async (around) => {
      const [root, outer] = [await folder(), await folder()]
      await copyTree(outer, around === 'a tree')
      if (around === 'a package')
        for (const source of sources)
          await copyFile(path.join(tree, source), path.join(outer, 'helper', path.basename(source)))
      const own = path.join(outer, around === 'a package' ? 'own/resources/app.asar' : 'own')
      await mkdir(path.join(own, 'out/main'), { recursive: true })
      if (around !== 'a package')
        await copyFile(path.join(tree, 'package.json'), path.join(own, 'package.json'))
      await expect(installHelper({ root, startAt: path.join(own, 'out/main') })).rejects.toMatchObject({
        code: 'helper/not-installed',
        variant: 'not-included',
      })
    },
  )

  it.each<[string, string, Found]>([
    ['a file of another user', 'out/helper/causeway-helper', { uid: 1 }],
    ['a file that its group may write', 'out/helper/causeway-helper', { mode: 0o775 }],
    ['another file that all may write', 'helper/org.causeway.helper.policy', { mode: 0o666 }],
    ['a sticky file that all may write', 'helper/org.causeway.helper.policy', { mode: 0o1666 }],
    ["a folder of macOS' administrators on Linux", 'out', { gid: 80, mode: 0o775 }],
    ['a folder that all may write on macOS', 'out', { gid: 80, mode: 0o777, platform: 'darwin' }],
    ['a folder of another group on macOS', 'out', { gid: 81, mode: 0o775, platform: 'darwin' }],
    ['a file in a folder of another user', 'out/helper', { uid: 1 }],
    ['a file in a folder that its group may write', 'out', { mode: 0o775 }],
    ['a file in a sticky folder of another user', '', { uid: 1, mode: 0o1777 }],
    ['a file in a folder that all may write', '', { mode: 0o777 }],
  ])('rejects %s', async (_what, changed, found) => {
    const [root, source] = [await folder(), await folder()]
    const { uid = 0, gid = 0, mode, platform = 'linux' } = found
    await copyTree(source, true, platform === 'linux' ? sources : macosSources)
    const target = path.join(source, changed)
    await chown(target, uid, gid)
    if (mode !== undefined) await chmod(target, mode)
    await expect(installHelper({ root, startAt: source, platform })).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'others-file',
      details: { path: target },
    })
    expect(await helperStatus({ root })).toBe('not-installed')
  })

  it('installs from the tree of the user who runs it, also below a sticky folder', async () => {
    const [root, source] = [await folder(), await folder()]
    await chmod(source, 0o1777)
    const own = path.join(source, 'own')
    await mkdir(own)
    await copyTree(own)
    for (const file of ['', 'out', 'out/helper', ...sources]) await chown(path.join(own, file), 1, 1)
    vi.stubEnv('SUDO_UID', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    await installHelper({ root, startAt: own })
    expect(await helperStatus({ root, startAt: own })).toBe('installed')
    const runBy = vi.spyOn(process, 'geteuid').mockReturnValue(1000)
    onTestFinished(() => {
      runBy.mockRestore()
    })
    await expect(installHelper({ root, startAt: own }), 'anybody may set the variable').rejects.toMatchObject(
      {
        variant: 'others-file',
      },
    )
  })

  it('installs from the resources of a package if there is no source tree', async () => {
    const [root, resources] = [await folder(), await folder()]
    await mkdir(path.join(resources, 'helper'))
    for (const file of [...sources, 'out/helper/causeway-wireguard'].filter((each) =>
      existsSync(path.join(tree, each)),
    ))
      await copyFile(path.join(tree, file), path.join(resources, 'helper', path.basename(file)))
    const startAt = path.join(resources, 'app.asar/out/main/chunks')

    await installHelper({ root, startAt })
    expect(await helperStatus({ root, startAt })).toBe('installed')
    expect(await helperStatus({ root })).toBe('installed')
    await writeFile(path.join(resources, 'helper/causeway-helper'), 'the next version')
    expect(await helperStatus({ root, startAt })).toBe('other-version')
  })

  it('installs the files for macOS for root alone, also from a folder of its administrators', async () => {
    const [root, source] = [await folder(), await folder()]
    const options = { root, platform: 'darwin', startAt: source } as const
    await copyTree(source, true, macosSources)
    await chown(path.join(source, 'out'), 0, 80)
    await chmod(path.join(source, 'out'), 0o775)
    await installHelper(options)
    const place = path.join(root, 'Library/PrivilegedHelperTools/org.causeway.helper')
    expect(await stat(path.join(place, 'causeway-helper'))).toMatchObject({ uid: 0, gid: 0, mode: 0o100755 })
    expect(await stat(path.join(place, 'causeway-askpass'))).toMatchObject({ uid: 0, mode: 0o100755 })
    const daemon = path.join(root, 'Library/LaunchDaemons/org.causeway.helper.plist')
    expect(await stat(daemon)).toMatchObject({ uid: 0, gid: 0, mode: 0o100644 })
    expect(await helperStatus(options)).toBe('installed')
    await removeHelper(options)
    expect(await helperStatus(options)).toBe('not-installed')
    await expect(stat(place)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(stat(daemon)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('installs what it read, even if another program changes files during the password prompt', async () => {
    const root = await folder()
    // Overwrites every temporary file of the installation as soon as root is asked for.
    const swap =
      'for file in "${TMPDIR:-/tmp}"/causeway-helper-*/[0-9]*; do [ ! -f "$file" ] || echo evil >"$file"; done; exec "$@"'
    await installHelper({ root, elevate: ['/bin/sh', '-c', swap, 'swap'] })
    expect(await helperStatus({ root })).toBe('installed')
  })

  it('keeps the installed helper if the input was changed', async () => {
    const root = await folder()
    await installHelper({ root })
    await writeFile(path.join(root, 'usr/libexec/causeway/causeway-helper'), 'the one before')
    for (const spoil of ['(printf x; cat)', 'head -c 1000', '(cat; printf x) | tail -c +2']) {
      await expect(
        installHelper({ root, elevate: ['/bin/sh', '-c', `${spoil} | "$@"`, 'spoil'] }),
      ).rejects.toMatchObject({ code: 'helper/not-installed' })
    }
    const helper = path.join(root, 'usr/libexec/causeway/causeway-helper')
    expect(await readFile(helper, 'utf8')).toBe('the one before')
  })

  it('has launchd listen on macOS once the files are there, and stop before they go', async () => {
    // Keeps the commands instead of running them as root.
    const record = path.join(await folder(), 'commands')
    const elevate = ['/bin/sh', '-c', 'cat >/dev/null; printf %s "$3" >"$0"', record]
    const options = { platform: 'darwin', elevate } as const
    const commandsOf = async (work: Promise<void>) => {
      await work
      await execa('/bin/sh', ['-n', record])
      return readFile(record, 'utf8')
    }
    const daemon = '/Library/LaunchDaemons/org.causeway.helper.plist'
    expect(await commandsOf(installHelper(options))).toMatch(
      new RegExp(
        `^visit put "\\$@"\nrm -f -- .*/stopped\nlaunchctl bootstrap system ${daemon} \\|\\| true\n$`,
        'm',
      ),
    )
    expect(await commandsOf(removeHelper(options))).toMatch(
      /launchctl bootout system\/org\.causeway\.helper \|\| true\nrm -f -- \/var\/run\/org\.causeway\.helper\.sock\n.* stop --all && .* release --all; [^]*\nrm -f -- "\$@" \/etc\/polkit-1\S* \S*\.pkla \S*\/stopped /,
    )
    for (const work of [installHelper, removeHelper])
      expect(await commandsOf(work({ elevate }))).not.toContain('launchctl')
    // Elsewhere than at the root of the system, nothing of this computer is touched.
    const root = await folder()
    for (const work of [installHelper, removeHelper])
      expect(await commandsOf(work({ ...options, root }))).not.toMatch(/launchctl|release|polkit|stopped/)
  })

  it('has launchd listen again on macOS where a connection keeps the helper from being removed', async () => {
    const place = await folder()
    const record = path.join(place, 'commands')
    const elevate = ['/bin/sh', '-c', 'cat >/dev/null; printf %s "$3" >"$0"', record]
    await removeHelper({ platform: 'darwin', elevate })
    const script = (await readFile(record, 'utf8'))
      .replace(/^PATH=.*/, `PATH='${place}':/usr/bin:/bin; export PATH`)
      .replaceAll(/(?<= )(?=\/(var|run|etc|Library)\/)/g, place)
    const helper = path.join(place, 'causeway-helper')
    const calls = path.join(place, 'calls')
    await writeFile(helper, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    await writeFile(path.join(place, 'launchctl'), `#!/bin/sh\necho "$1" >>'${calls}'\n`, { mode: 0o755 })
    const { exitCode } = await execa('/bin/sh', ['-c', script, 'causeway', helper], { reject: false })
    expect([exitCode, existsSync(helper)]).toEqual([1, true])
    expect(await readFile(calls, 'utf8')).toBe('bootout\nbootstrap\n')
  })

  it('reports that there is no helper for Windows', async () => {
    await expect(installHelper({ platform: 'win32' })).rejects.toMatchObject({ code: 'helper/not-installed' })
  })
})

describe('the helper that the window may install', () => {
  const none = { helper: '/none/causeway-helper', startAt: tree, isRoot: false, platform: 'linux' } as const

  it.runIf(existsSync(path.join(tree, 'out/helper/causeway-helper')))(
    'is one that it has, where pkexec asks',
    async () => {
      expect(await helperHere({ ...none, asks: process.execPath })).toBe('installable')
      expect(await helperHere({ ...none, asks: '/none/pkexec' }), 'nothing asks').toBe('missing')
      expect(await helperHere({ ...none, asks: process.execPath, isRoot: true }), 'nobody asks root').toBe(
        'missing',
      )
      expect(await helperHere({ ...none, asks: process.execPath, platform: 'darwin' })).toBe('missing')
    },
  )

  it('is none where the package has none, or where nothing needs it', async () => {
    expect(await helperHere({ ...none, asks: process.execPath, startAt: await folder() })).toBe('missing')
    expect(await helperHere({ ...none, platform: 'win32' })).toBe('usable')
  })

  it.runIf(process.geteuid?.() === 0)('is not installed without a question', async () => {
    await expect(installHelperInWindow()).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'no-elevation',
    })
  })
})

describe.skipIf(process.platform === 'win32')('a group that may start the helper', () => {
  /** Ends like root's script. */
  const ending = (status: number, says = '') =>
    ({ platform: 'linux', elevate: ['/bin/sh', '-c', `${says}\nexit ${String(status)}`] }) as const
  const failing = (variant: string) =>
    expect.objectContaining({ code: 'helper/not-installed', variant }) as Error

  it('is allowed, also where polkit cannot be asked', async () => {
    expect(await allowHelper('vpn', ending(0))).toBe(true)
    expect(await allowHelper('vpn', ending(21))).toBe(false)
    await expect(allowHelper('vpn', ending(20))).rejects.toThrow(failing('rule-not-applied'))
    await expect(allowHelper('vpn', ending(1))).rejects.toThrow(failing('groups-not-changed'))
  })

  it('is denied, and listed', async () => {
    await expect(denyHelper('vpn', ending(0))).resolves.toBeUndefined()
    await expect(denyHelper('vpn', ending(1))).rejects.toThrow(failing('groups-not-changed'))
    expect(await allowedGroups(ending(0, 'echo vpn; echo; echo staff'))).toEqual(['vpn', 'staff'])
    await expect(allowedGroups(ending(1))).rejects.toThrow(failing('groups-not-read'))
  })

  it('is unknown to other systems', async () => {
    await expect(allowHelper('vpn', { ...ending(0), platform: 'darwin' })).rejects.toThrow(
      failing('groups-unsupported'),
    )
  })
})
