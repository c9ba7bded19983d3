import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { satisfies } from 'semver'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const [oldest = ''] = packageJson.engines.node.split(' ')

it('this Node.js, with which the tests run, is one of those that are supported', () => {
  expect(satisfies(process.version, packageJson.engines.node)).toBe(true)
})

it.each(['README.md', 'CONTRIBUTING.md', 'docs/developing.md', 'docs/install.md'])(
  'the oldest that is supported is the one that %s names',
  async (page) => {
    const named = /Node (\d+\.\d+) or newer/.exec(await readFile(join(root, page), 'utf8'))?.[1]
    expect(`^${named ?? ''}.0`).toBe(oldest)
  },
)

it('the tests run with its major version in the cloud as well', async () => {
  const workflow = await readFile(join(root, '.github', 'workflows', 'test.yml'), 'utf8')
  const [major = ''] = /\d+/.exec(oldest) ?? []
  expect(/^ {8}node: \[(.*)\]$/m.exec(workflow)?.[1]?.split(', ')).toContain(major)
})
