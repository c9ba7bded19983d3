import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'

const tree = path.resolve(import.meta.dirname, '../..')
const variants = path.join(tree, 'node_modules/.cache/causeway-helper')

/** Built before the tests (scripts/build-helper.ts): the real one, and two for tests (helper/*.go). */
const builds = {
  linux: path.join(tree, 'out/helper/causeway-helper'),
  macos: path.join(variants, 'macos_rehearsal'),
  killpoints: path.join(variants, 'killpoints'),
} as const

export interface TestHelper {
  /** Starts the real helper in the computer of `prepare`. */
  readonly helper: string
  readonly folder: string
  remove(): Promise<void>
}

/**
 * A copy of the helper as it is installed, that runs in a mount namespace of its own.
 *
 * @param prepare shell commands that make its computer, run as root before the helper; `$folder` is this folder
 * @param within what stands before everything, such as `ip netns exec NAME`
 */
export async function installTestHelper(
  prepare = '',
  within = '',
  build: keyof typeof builds = 'linux',
): Promise<TestHelper> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-helper-'))
  await chmod(folder, 0o755)
  await mkdir(path.join(folder, 'libexec'))
  await copyFile(builds[build], path.join(folder, 'libexec/causeway-helper'))
  const inside = path.join(folder, 'inside')
  // Records of its own: other tests run helpers of the same user.
  await mkdir(path.join(folder, 'state'), { mode: 0o700 })
  const state = 'mkdir -p /run/causeway\nmount --bind $folder/state /run/causeway\n'
  await writeFile(
    inside,
    `#!/bin/sh\nfolder=${folder}\n${state}${prepare}\nexec ${folder}/libexec/causeway-helper "$@"\n`,
  )
  await chmod(inside, 0o755)
  const helper = path.join(folder, 'start')
  await writeFile(helper, `#!/bin/sh\nexec ${within} /usr/bin/unshare -m ${inside} "$@"\n`)
  await chmod(helper, 0o755)
  return { helper, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Whether this process may make namespaces, as the tests of the helper do. */
export async function mayMakeNamespaces(): Promise<boolean> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false
  const { exitCode } = await execa('unshare', ['-m', '-n', 'true'], { reject: false })
  return exitCode === 0
}
