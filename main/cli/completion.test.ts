import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manPage } from '../../scripts/man-page'
import { completionScript, shells } from './completion'
import { createProgram } from './program'

const program = createProgram('1.2.3')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-completion-'))
  await Promise.all(shells.map((shell) => writeFile(join(folder, shell), completionScript(program, shell))))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns what bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const script =
    'source "$1"; shift; COMP_WORDS=(causeway "$@"); COMP_CWORD=$#; _causeway; printf "%s\\n" "${COMPREPLY[@]}"'
  const { stdout } = await execa('bash', ['-c', script, 'bash', join(folder, 'bash'), ...words])
  return stdout.split('\n')
}

describe.skipIf(process.platform === 'win32')('the completion for bash', () => {
  it('offers commands, subcommands and their options', async () => {
    expect(await offered('co')).toEqual(['connect', 'content', 'completion'])
    expect(await offered('instance', '')).toEqual(
      expect.arrayContaining(['add', 'list', 'remove', 'set', 'show']),
    )
    expect(await offered('connect', 'office', '--de')).toEqual(['--detach'])
    expect(await offered('instance', 'add', '--cl')).toEqual(['--client-id'])
  })

  it('offers the options of every command everywhere, and no hidden ones', async () => {
    expect(await offered('status', '--js')).toEqual(['--json'])
    expect(await offered('connect', '--ba')).toEqual([''])
  })

  it('offers nothing for an unknown word, so that bash completes files', async () => {
    expect(await offered('attachment', 'upload', 'xyz')).toEqual([''])
  })
})

it.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const)('is a valid script for %s, where that is installed', async (shell, check) => {
  const { failed, stderr, code } = await execa(shell, [...check, join(folder, shell)], { reject: false })
  if (code !== 'ENOENT') expect({ failed, stderr }).toEqual({ failed: false, stderr: '' })
  expect(completionScript(program, shell)).toContain('--detach')
})

describe('the manual page', () => {
  const page = manPage(program, '1.2.3')

  it('describes every command with its options', () => {
    expect(page).toContain('.TH CAUSEWAY 1 "" "causeway 1.2.3"')
    expect(page).toContain('.SS instance add')
    expect(page).toContain('\\-\\-detach')
    expect(page).not.toContain('background\\fR')
    expect(page).not.toMatch(/\\-\\-background/)
  })

  it('has no line that man would take for a command of its own', () => {
    const commands = page.match(/^[.'].*$/gm) ?? []
    for (const line of commands) expect(line).toMatch(/^\.(TH|SH|SS|TP|B|br)\b/)
  })
})
