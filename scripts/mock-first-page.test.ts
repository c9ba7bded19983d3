import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createMockServer } from '../mock-server/server'
import { packMockServer } from './mock-package'
import { isNightly, isSlowRun } from './nightly-tests'
import { slow } from './slow.testing'
import packageJson from '../package.json' with { type: 'json' }

// Packages come from registries.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const text = readFileSync('docs/mock-server.md', 'utf8')
/** The blocks of the page by the comment before them, such as `python: run`. */
const blocks = new Map(
  [...text.matchAll(/^<!-- mock (.+) -->\n\n```\w+\n([^]*?)^```$/gm)].map(([, name = '', block = '']) => [
    name,
    block,
  ]),
)
const folder = mkdtempSync(join(tmpdir(), 'causeway-mock-first-page-'))
const fileName = `causeway-mock-server-${packageJson.version}.tgz`
const tarball = join(folder, 'packed', fileName)

beforeAll(async () => {
  if (isSlowRun) expect(await packMockServer(join(folder, 'packed'))).toBe(tarball)
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Returns an empty folder of somebody who has the package. */
async function emptyFolder(): Promise<string> {
  const empty = await mkdtemp(join(folder, 'reader-'))
  await cp(tarball, join(empty, fileName))
  return empty
}

const shell = (block: string, cwd: string, replaced = /$^/, by = '') =>
  execa('bash', ['-euo', 'pipefail', '-c', block.replace(replaced, by)], { cwd, all: true, reject: false })

it('is short, and has a block for each of five languages', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(250)
  expect(text).toContain(fileName)
  const languages = ['shell', 'typescript', 'python', 'java', 'go']
  expect([...blocks.keys()].filter((name) => name.endsWith(': run'))).toEqual(
    languages.map((language) => `${language}: run`),
  )
})

slow.each([
  ['a folder with the package', emptyFolder],
  ['the repository', () => Promise.resolve(resolve('.'))],
])('its first block starts the mock in %s', async (_where, openFolder) => {
  // The default port may be in use.
  const start = (blocks.get('start') ?? '').replaceAll('--auto-approve', '--auto-approve --port 0 --json')
  const child = execa('bash', ['-euo', 'pipefail', '-c', start], {
    cwd: await openFolder(),
    reject: false,
    forceKillAfterDelay: false,
    detached: true,
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      // npm says first what it runs.
      if (!line.startsWith('{')) continue
      const { instance } = JSON.parse(line) as { instance: string }
      expect((await fetch(`${instance}info.json`)).status).toBe(200)
      break
    }
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    await child
  }
})

it('its shell commands end with a passed assertion', async () => {
  const mock = await createMockServer({ autoApprove: true })
  try {
    const run = blocks.get('shell: run') ?? ''
    const { stdout, exitCode } = await shell(run, folder, /5006/g, new URL(mock.origin).port)
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/passed$/)])
    // The assertion has teeth: the second run finds two requests.
    expect((await shell(run, folder, /5006/g, new URL(mock.origin).port)).exitCode).not.toBe(0)
  } finally {
    await mock.close()
  }
})

/** The languages with the end of their output. Vitest is linked by day; pytest and JUnit come from a registry, at night only. */
const languages = [
  { name: 'typescript', passed: /Tests {2}1 passed/, isNightly: false },
  { name: 'go', passed: /^ok\s+portal/m, isNightly: false },
  { name: 'python', passed: /1 passed/, isNightly: true },
  { name: 'java', passed: /1 tests successful/, isNightly: true },
]

slow.each(languages.filter((one) => isNightly || !one.isNightly))(
  'its test in $name passes',
  async ({ name, passed }) => {
    const own = await emptyFolder()
    const installed = await shell(blocks.get('install') ?? '', own)
    expect([installed.exitCode, installed.all]).toEqual([0, installed.all])
    const [file = '', code = ''] = [...blocks].find(([one]) => one.startsWith(`${name}: file `)) ?? []
    await writeFile(join(own, file.split(' ').at(-1) ?? ''), code)
    if (!isNightly)
      for (const link of ['vitest', '.bin/vitest'])
        symlinkSync(resolve('node_modules', link), join(own, 'node_modules', link))
    const { exitCode, all } = await shell(
      blocks.get(`${name}: run`) ?? '',
      own,
      /^npm install .*$/m,
      isNightly ? '$&' : '',
    )
    expect([exitCode, stripVTControlCharacters(all)]).toEqual([0, expect.stringMatching(passed)])
  },
)
