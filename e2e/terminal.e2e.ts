import { readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { expect, test } from './fixtures'

const hash = /-[\w-]{8}\.js$/
const attachments = z.array(z.object({ id: z.string(), title: z.string() }))

test('uploads, replaces and downloads a file with the built terminal command', async ({ mock, folder }) => {
  const env = { CAUSEWAY_DATA_DIR: join(folder, 'data'), CAUSEWAY_SECRET_STORE: 'file' }
  const causeway = async (...args: string[]): Promise<string> =>
    (await execa(process.execPath, ['out/main/cli.js', ...args, '--quiet'], { env })).stdout
  await causeway('instance', 'add', mock.instance)
  const first = join(folder, 'first.txt')
  const second = join(folder, 'second.txt')
  const downloaded = join(folder, 'downloaded.txt')
  await writeFile(first, 'first version')
  await writeFile(second, 'second version')

  await causeway('attachment', 'upload', first, '--title', 'Notes of today')
  const [uploaded] = attachments.parse(JSON.parse(await causeway('attachment', 'list', '--json')))
  expect(uploaded?.title).toBe('Notes of today')
  await causeway('attachment', 'replace', uploaded?.id ?? '', second, '--yes')
  await causeway('attachment', 'download', uploaded?.id ?? '', downloaded)
  expect(await readFile(downloaded, 'utf8')).toBe('second version')
})

test('builds the terminal command without imports of Electron', async () => {
  const { packages } = await importsOf(join('out', 'main', 'cli.js'), 'ever')
  expect([...packages]).not.toContain('electron')
})

test('loads no code that starts programs or sends requests for help and wrong usage', async () => {
  const loaded = await loadedWith('run-command')
  expect(loaded).toContain('terminal-help')
  for (const large of [
    'execa',
    'transport',
    'services',
    'on-demand',
    'organizations-client',
    'windows-service',
  ])
    expect(loaded).not.toContain(large)
})

test('starts a command without the code that starts programs', async () => {
  const chunks = join('out', 'main', 'chunks')
  const withExeca: string[] = []
  for (const name of await readdir(chunks))
    if ((await readFile(join(chunks, name), 'latin1')).includes('stripFinalNewline'))
      withExeca.push(name.replace(hash, ''))
  expect(withExeca).toEqual(['execa'])
  const loaded = await loadedWith('run-action')
  expect(loaded).toContain('services')
  expect(loaded).not.toContain('execa')
})

test('generates no parsers at a start, which would take longer than they save', async ({ folder }) => {
  const watch = `globalThis.Function = new Proxy(Function, {
    construct(...how) {
      console.error('A function was generated.')
      return Reflect.construct(...how)
    },
  })`
  const { stdout, stderr } = await execa(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, 'out/main/cli.js', 'status'],
    // Tunnels of other tests at the same time belong to another home folder.
    { env: { CAUSEWAY_DATA_DIR: join(folder, 'data'), HOME: folder } },
  )
  expect(stderr).toBe('')
  expect(stdout).toBe('Not connected.')
})

/** Returns the names of the scripts that are loaded at once with the one of this name. */
async function loadedWith(name: string): Promise<string[]> {
  const chunks = join('out', 'main', 'chunks')
  const start = (await readdir(chunks)).find((file) => file.startsWith(`${name}-`)) ?? ''
  const { scripts } = await importsOf(join(chunks, start), 'at once')
  return [...scripts].map((script) => basename(script).replace(hash, ''))
}

/** Returns the scripts that a built script loads, and the packages that these import: at once, or also later. */
async function importsOf(script: string, when: 'at once' | 'ever') {
  const scripts = new Set([script])
  const packages = new Set<string>()
  const imports =
    when === 'ever'
      ? /\b(?:from|import)\s*\(?\s*["'`]([\w@./-]+)["'`]/g
      : /\b(?:from|import)\s*["'`]([\w@./-]+)["'`]/g
  for (const each of scripts) {
    const text = await readFile(each, 'latin1')
    for (const [, name = ''] of text.matchAll(imports)) {
      if (!name.startsWith('.')) packages.add(name)
      else if (name.endsWith('.js')) scripts.add(join(dirname(each), name))
    }
  }
  return { scripts, packages }
}
