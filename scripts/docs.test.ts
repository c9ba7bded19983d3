import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')

const pages = (await readdir(docs)).filter((name) => name.endsWith('.md'))
const files = [
  join(root, 'README.md'),
  join(root, 'CONTRIBUTING.md'),
  ...pages.map((name) => join(docs, name)),
]

/** Returns a page without its code blocks, in which nothing is a link or a heading. */
async function prose(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replaceAll(/^```[^]*?^```/gm, '')
}

/** Returns the relative targets of a page's links and pictures. */
async function targets(file: string): Promise<string[]> {
  const links = (await prose(file)).matchAll(/\]\(([^)\s]+)\)/g)
  return [...links].map(([, target = '']) => target).filter((target) => !target.startsWith('https:'))
}

/** Returns the anchors of a page's headings, by the rule of GitHub. */
async function anchors(file: string): Promise<string[]> {
  const headings = (await prose(file)).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(files)('links only to files and headings that exist: %s', async (file) => {
  for (const target of await targets(file)) {
    const [path = '', anchor] = target.split('#')
    const linked = path === '' ? file : join(dirname(file), path)
    expect(existsSync(linked), target).toBe(true)
    if (anchor !== undefined) expect(await anchors(linked), target).toContain(anchor)
  }
})

it.each(['CONTRIBUTING.md', 'README.md'])('%s has commands that work as typed', async (name) => {
  const blocks = (await readFile(join(root, name), 'utf8')).matchAll(/^```sh\n([^]*?)^```/gm)
  const commands = [...blocks]
    .flatMap(([, block = '']) => block.split(/\n|&&/))
    .map((line) => line.replace(/\s#.*/, ''))
  expect(commands.length).toBeGreaterThan(1)
  for (const command of commands) {
    for (const [, script = ''] of command.matchAll(/npm run ([\w:-]+)/g))
      expect(Object.keys(packageJson.scripts), command).toContain(script)
    const paths = [...command.matchAll(/(?<![\w/])(?:main|e2e|scripts|contract)\/[\w./-]+/g)].map(
      ([path]) => path,
    )
    for (const path of paths) expect(existsSync(join(root, path)), command).toBe(true)
    const [, title] = / -t '([^']+)'/.exec(command) ?? []
    if (title !== undefined)
      expect(await readFile(join(root, paths[0] ?? ''), 'utf8')).toContain(`it('${title}'`)
  }
})

it('lists every page in the index', async () => {
  const listed = new Set(await targets(join(docs, 'README.md')))
  expect(pages.filter((name) => name !== 'README.md' && !listed.has(name))).toEqual([])
})

it('lists every reason for which the helper fails', async () => {
  const folders = ['helper', 'helper/windows-service'].map((name) => join(root, name))
  const listings = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  )
  const sources = listings.flat().filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
  const code = (await Promise.all(sources.map((name) => readFile(name, 'utf8')))).join('')
  const reason = /(?:failed(?:By)?\(|helper\.Refuse\(\w+, |refusal\{"failed", )"([a-z0-9-]+)"/g
  const reasons = [...code.matchAll(reason)].map(([, reason]) => reason)
  const page = await readFile(join(docs, 'helper.md'), 'utf8')
  const [, table = ''] = page.split('\n### Reasons\n')
  const listed = table.split('\n### ')[0]?.matchAll(/^\| (`.*?) \|/gm) ?? []
  const names = [...listed].flatMap(([, row = '']) =>
    row.split(', ').map((name) => name.replaceAll('`', '').trim()),
  )
  expect(names.sort()).toEqual([...new Set(reasons)].sort())
})
