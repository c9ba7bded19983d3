import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createMockServer } from '../mock-server/server'

const root = join(import.meta.dirname, '..')

/**
 * Blocks of a page with a comment before them: `runnable` ones are commands, `output` is what the last commands print (`…` for
 * anything), and `file NAME` is a file that the commands read.
 */
interface Block {
  readonly kind: string
  readonly text: string
}

const page = async (name: string) => ({ name, text: await readFile(join(root, name), 'utf8') })
const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'))
const pages = await Promise.all(['README.md', ...docs.map((name) => `docs/${name}`)].map(page))

function blocksOf(text: string): Block[] {
  const blocks = text.matchAll(/^<!-- (runnable|output|file \S+) -->\n\n```\w+\n([^]*?)^```$/gm)
  return [...blocks].map(([, kind = '', block = '']) => ({ kind, text: block }))
}

const runnable = pages.map(({ name, text }) => ({ name, blocks: blocksOf(text) }))

it('some pages have commands to run, and each comment belongs to a block', () => {
  for (const { text, name } of pages)
    expect(text.match(/^<!-- (runnable|output|file \S+) -->$/gm) ?? [], name).toHaveLength(
      blocksOf(text).length,
    )
  expect(runnable.filter(({ blocks }) => blocks.length > 0).length).toBeGreaterThan(1)
})

it.skipIf(process.platform === 'win32').each(runnable.filter(({ blocks }) => blocks.length > 0))(
  'the commands of $name do what it shows, in order, in an empty folder',
  async ({ blocks }) => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-docs-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const mock = await createMockServer({ autoApprove: true })
    onTestFinished(() => mock.close())
    const { port } = new URL(mock.instance)
    const here = (text: string) => text.replaceAll('5006', port)
    // Outside of the folder that the reader is in.
    const own = await mkdtemp(join(tmpdir(), 'causeway-docs-home-'))
    onTestFinished(() => rm(own, { recursive: true }))
    await mkdir(join(own, 'bin'))
    const command = `#!/bin/sh\nexec '${process.execPath}' '${inject('programs').command}' "$@"\n`
    await writeFile(join(own, 'bin', 'causeway'), command)
    await chmod(join(own, 'bin', 'causeway'), 0o755)
    // An answer with an error ends the commands.
    await writeFile(join(own, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
    const mark = '--- end of a block ---'
    const scripts: string[] = []
    const expected: (string | undefined)[] = []
    for (const { kind, text } of blocks) {
      if (kind.startsWith('file ')) await writeFile(join(folder, kind.slice(5)), text)
      else if (kind === 'output') expected[scripts.length - 1] = here(text)
      else scripts.push(here(text))
    }
    const script = scripts.map((each) => `${each}\necho; echo '${mark}'`).join('\n')
    const { exitCode, stdout, stderr } = await execa('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: folder,
      reject: false,
      extendEnv: false,
      env: {
        PATH: `${join(own, 'bin')}:${process.env.PATH ?? ''}`,
        HOME: own,
        LANG: 'C.UTF-8',
        CAUSEWAY_SECRET_STORE: 'file',
        CAUSEWAY_QUIET: '1',
      },
    })
    const printed = stdout.split(mark)
    const failed = scripts[printed.length - 1] ?? ''
    expect({ exitCode, stderr }, failed).toEqual({ exitCode: 0, stderr: '' })
    for (const [index, text] of expected.entries()) {
      if (text === undefined) continue
      const anything = text
        .trim()
        .split('…')
        .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      expect(printed[index]?.trim()).toMatch(new RegExp(`^${anything.join('[^]*')}$`))
    }
  },
)
