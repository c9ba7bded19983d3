import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { isNightly } from './nightly-tests'

const root = join(import.meta.dirname, '..')
let programs: string

/** Programs that would change the computer, or take long, and say that they were started. */
beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'causeway-npm-scripts-'))
  for (const name of ['apt-get', 'apt-cache', 'go', 'npm', 'npx', 'electron', 'dpkg']) {
    await writeFile(join(programs, name), '#!/bin/sh\necho "started $0 $*" >&2\nexit 1\n')
    await chmod(join(programs, name), 0o755)
  }
})
afterAll(() => rm(programs, { recursive: true }))

/** Two that the README tells everyone to type; the others at night. */
const everyones = ['demo', 'test']

it
  .skipIf(process.platform === 'win32')
  .each(Object.entries(packageJson.scripts).filter(([name]) => isNightly || everyones.includes(name)))(
  'npm run %s -- --help does nothing else',
  async (_, script) => {
    const { exitCode, stdout, stderr } = await execa(`${script} --help`, {
      shell: true,
      cwd: root,
      preferLocal: true,
      localDir: root,
      reject: false,
      env: { PATH: [join(root, 'node_modules', '.bin'), programs, process.env.PATH].join(delimiter) },
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/\bUsage:/)
  },
)
