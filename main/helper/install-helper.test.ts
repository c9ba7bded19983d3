import { mkdtemp, readFile, rm, stat, symlink, mkdir, copyFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { helperStatus, installHelper, removeHelper } from './install-helper'

const tree = path.resolve(import.meta.dirname, '../..')

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'causeway-install-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Only root may give files to root; the rest of the system is left alone, since all goes under another folder. */
describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('installing the helper', () => {
  it('puts every file where root alone may write, tells another version, and removes all', async () => {
    const root = await folder()
    expect(await helperStatus({ root })).toBe('not-installed')
    await installHelper({ root })
    expect(await helperStatus({ root })).toBe('installed')

    const helper = path.join(root, 'usr/libexec/causeway/causeway-helper')
    expect(await stat(helper)).toMatchObject({ uid: 0, gid: 0, mode: 0o100755 })
    const list = path.join(root, 'usr/libexec/causeway/allowed-directives.json')
    expect(await stat(list)).toMatchObject({ uid: 0, gid: 0, mode: 0o100644 })
    const policy = path.join(root, 'usr/share/polkit-1/actions/org.causeway.helper.policy')
    expect(await readFile(policy, 'utf8')).toContain('>/usr/libexec/causeway/causeway-helper</annotate>')

    await writeFile(helper, 'of another version')
    expect(await helperStatus({ root })).toBe('other-version')
    await removeHelper({ root })
    expect(await helperStatus({ root })).toBe('not-installed')
    await expect(stat(path.dirname(helper))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('installs nothing through a link, which could point anywhere', async () => {
    const [root, source] = [await folder(), await folder()]
    await mkdir(path.join(source, 'build/linux'), { recursive: true })
    await mkdir(path.join(source, 'main/openvpn'), { recursive: true })
    for (const file of ['build/linux/org.causeway.helper.policy', 'main/openvpn/allowed-directives.json'])
      await copyFile(path.join(tree, file), path.join(source, file))
    await symlink('/etc/shadow', path.join(source, 'build/linux/causeway-helper'))

    await expect(installHelper({ root, startAt: source })).rejects.toMatchObject({
      code: 'helper/not-installed',
    })
    expect(await helperStatus({ root })).toBe('not-installed')
  })
})
