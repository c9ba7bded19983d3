import { mkdtemp, readFile, rm, stat, symlink, mkdir, copyFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'

import { helperStatus, installHelper, removeHelper } from './install-helper'

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

  it('rejects a source that is a symbolic link', async () => {
    const [root, source] = [await folder(), await folder()]
    await mkdir(path.join(source, 'out/helper'), { recursive: true })
    await mkdir(path.join(source, 'helper'))
    const policy = 'helper/org.causeway.helper.policy'
    await copyFile(path.join(tree, policy), path.join(source, policy))
    await symlink('/etc/shadow', path.join(source, 'out/helper/causeway-helper'))

    await expect(installHelper({ root, startAt: source })).rejects.toMatchObject({
      code: 'helper/not-installed',
    })
    expect(await helperStatus({ root })).toBe('not-installed')
  })

  it('installs from the resources of a package if there is no source tree', async () => {
    const [root, resources] = [await folder(), await folder()]
    await mkdir(path.join(resources, 'helper'))
    for (const file of ['out/helper/causeway-helper', 'helper/org.causeway.helper.policy'])
      await copyFile(path.join(tree, file), path.join(resources, 'helper', path.basename(file)))
    const startAt = path.join(resources, 'app.asar/out/main/chunks')

    await installHelper({ root, startAt })
    expect(await helperStatus({ root, startAt })).toBe('installed')
    expect(await helperStatus({ root })).toBe('installed')
    await writeFile(path.join(resources, 'helper/causeway-helper'), 'the next version')
    expect(await helperStatus({ root, startAt })).toBe('other-version')
  })

  it('installs the files for macOS for root alone', async () => {
    const root = await folder()
    const options = { root, platform: 'darwin' } as const
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
      new RegExp(`^visit put "\\$@"\nlaunchctl bootstrap system ${daemon} \\|\\| true\n$`, 'm'),
    )
    expect(await commandsOf(removeHelper(options))).toMatch(
      /launchctl bootout system\/org\.causeway\.helper \|\| true\nrm -f -- \/var\/run\/org\.causeway\.helper\.sock\n.* release --all .*\nrm -f -- "\$@"/,
    )
    for (const work of [installHelper, removeHelper])
      expect(await commandsOf(work({ elevate }))).not.toContain('launchctl')
  })

  it('reports that there is no helper for Windows', async () => {
    await expect(installHelper({ platform: 'win32' })).rejects.toMatchObject({ code: 'helper/not-installed' })
  })
})
