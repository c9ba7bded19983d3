import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatText } from './format-text'
import { enough, helperFuzzers, suites } from './fuzzing'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/testing.md')
const marked = /(<!-- fuzzing: .*? -->\n)(.*)(\n<!-- \/fuzzing -->)/s
const number = (count: number) => count.toLocaleString('en')

const rows = [
  ...suites.flatMap((suite) =>
    suite.what.map((what) => {
      const note = 'why' in suite ? ` (${suite.why})` : ''
      return `| ${what} | \`${suite.file}\` | ${number(suite.each)} | ${number(suite.nightly)}${note} |`
    }),
  ),
  ...helperFuzzers.names.map(
    (name) =>
      `| \`${name}\` | \`helper/\`, guided by coverage | its seeds | ${number(helperFuzzers.nightly)} |`,
  ),
]
const sum =
  suites.reduce((all, { what, nightly }) => all + what.length * nightly, 0) +
  helperFuzzers.names.length * helperFuzzers.nightly
const table = `| Input | Fuzzed by | \`npm test\` | Each night |\n|---|---|---|---|\n${rows.join('\n')}\n| all | | | ${number(sum)} |\n`

it('is listed in the documentation, with its cases', async () => {
  const text = await readFile(page, 'utf8')
  const next = await formatText(
    page,
    text.replace(marked, (_all, start: string, _old, end: string) => `${start}\n${table}${end}`),
  )
  if (process.env.CAUSEWAY_WRITE_DOCS === '1') await writeFile(page, next)
  else expect(text).toBe(next)
})

it('has enough cases each night, or says why not', () => {
  for (const suite of suites)
    expect(suite.nightly >= enough || 'why' in suite, `${suite.file}: ${suite.nightly}`).toBe(true)
  expect(sum).toBeGreaterThan(1_000_000)
})

it('has no input in its list that nothing fuzzes', async () => {
  const helper = await Promise.all(
    [
      'helper_test.go',
      'wireguard_test.go',
      'networkmanager_linux_test.go',
      'resolv_conf_linux_test.go',
      'apps_linux_test.go',
    ].map((name) => readFile(join(root, 'helper', name), 'utf8')),
  )
  const found = [...helper.join('\n').matchAll(/^func (Fuzz\w+)/gm)].map(([, name]) => name)
  expect(found.toSorted()).toEqual([...helperFuzzers.names].toSorted())
  for (const { file, what } of suites) {
    const text = await readFile(join(root, file), 'utf8')
    // Those of the mock are named after its interfaces.
    for (const name of file.startsWith('mock-server') ? ['requests to the mock: '] : what)
      expect(text, `${file}: ${name}`).toContain(name)
  }
})
