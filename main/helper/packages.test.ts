import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getConfig } from 'app-builder-lib/out/util/config/config.js'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'

import { findHelperFiles, helperTargets } from './helper-files'

const tree = path.resolve(import.meta.dirname, '../..')
const configuration = await getConfig(tree, 'electron-builder.yml', null)

interface Resource {
  readonly from: string
  readonly to: string
}

const resources = {
  linux: configuration.linux?.extraResources as Resource[],
  darwin: configuration.mac?.extraResources as Resource[],
}

describe.each(['linux', 'darwin'] as const)('packages for %s', (platform) => {
  const files = findHelperFiles(platform, '/', tree) ?? []

  it('carry every file that installing the helper needs, under the names that it looks for', () => {
    expect(files.length).toBe(3)
    const wanted = files.map(({ source }) => ({
      from: path.relative(tree, source),
      to: `helper/${path.basename(source)}`,
    }))
    const byName = (one: Resource, other: Resource) => one.to.localeCompare(other.to)
    expect([...resources[platform]].sort(byName)).toEqual(wanted.sort(byName))
  })

  it('hold scripts that may be run', async () => {
    for (const { source } of files.filter(({ mode }) => mode === '0755')) {
      expect((await stat(source)).mode & 0o111, source).toBe(0o111)
    }
  })
})

it.each(['deb', 'rpm'] as const)('a %s package owns the helper at the place where it is used', (kind) => {
  const words = configuration[kind]?.fpm ?? []
  const files = findHelperFiles('linux', '/', tree) ?? []
  for (const { source, target } of files) {
    expect(words).toContain(`${path.relative(tree, source)}=${target}`)
  }
  expect(helperTargets('linux', '/')).toEqual(files.map(({ target }) => target))
  expect(words).toContain('--before-remove=build/linux/before-remove')
})

it('files that group members may write in a checkout are packaged with modes that the helper is used with', async () => {
  const hook = await readFile(path.join(tree, String(configuration.beforePack)), 'utf8')
  for (const { source, mode } of findHelperFiles('linux', '/', tree) ?? []) {
    expect(hook).toContain(`'${path.relative(tree, source)}': 0o${mode.slice(1)}`)
  }
})

it.runIf(process.platform !== 'win32')(
  'removing a package lifts kill switches, an upgrade does not',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-remove-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(path.join(folder, '20123'))
    await writeFile(path.join(folder, 'helper'), '#!/bin/sh\necho "$SUDO_UID $1"\n', { mode: 0o755 })
    const script = (await readFile(path.join(tree, 'build/linux/before-remove'), 'utf8'))
      .replace('/run/causeway', folder)
      .replace('/usr/libexec/causeway/causeway-helper', path.join(folder, 'helper'))
    const said = async (word: string) => (await execa('/bin/sh', ['-c', script, 'prerm', word])).stdout

    expect(await said('remove')).toContain('20123 release')
    expect(await said('0')).toContain('20123 release')
    expect(await said('upgrade')).toBe('')
    expect(await said('1')).toBe('')
  },
)
