import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { manPage } from '../../scripts/man-page'
import { BuiltCommand } from './causeway.testing'
import { createProgram } from './program'

const command = await BuiltCommand.make()
const home = await mkdtemp(join(tmpdir(), 'causeway-help-'))
afterAll(async () => {
  await command.remove()
  await rm(home, { recursive: true, force: true })
})

const program = createProgram('1.2.3')

/** Every command and group of commands, also the hidden ones, by its words. */
function all(parent: Command, path: readonly string[] = []): [string, Command][] {
  return [
    [path.join(' '), parent],
    ...parent.commands.flatMap((child) => all(child, [...path, child.name()])),
  ]
}

const commands = new Map(all(program))

describe('--help', () => {
  const cases = [...commands.keys()].flatMap((words) => [
    [words, ['--help']] as const,
    // Also after what would be wrong, or would need an answer.
    [words, ['--json', 'extra', '--no-login', '-h']] as const,
  ])

  it.each(cases)('%s %j does nothing else', async (words, more) => {
    const person = await command.person()
    const env = { CAUSEWAY_DATA_DIR: join(home, 'data'), CAUSEWAY_BROWSER: '/nonexistent' }
    const args = [...words.split(' ').filter((word) => word !== ''), ...more]
    const { status, stdout, stderr } = await person.run(args, { env })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.startsWith(`Usage: ${`causeway ${words}`.trim()}`)).toBe(true)
    expect(await readdir(home)).toEqual([])
  })
})

describe('the manual page', () => {
  const page = manPage(program, '1.2.3').replaceAll('\\-', '-')
  const section = (heading: string): string => page.split(`\n.SH ${heading}\n`)[1]?.split('\n.SH ')[0] ?? ''
  const entries = (heading: string): string[] =>
    [...section(heading).matchAll(/^\.B (.*)$/gm)].map(([, name = '']) => name)

  it('has every command that the help shows, with its description and its options', () => {
    const shown = [...commands].filter(
      ([words]) => words !== '' && !/(^| )help$/.test(words) && !isHidden(words),
    )
    for (const [words, { description, options }] of shown.map(
      ([path, each]) =>
        [
          path,
          { description: each.description(), options: each.options.filter(({ hidden }) => !hidden) },
        ] as const,
    )) {
      const own = section('COMMANDS').split(`.SS ${words}\n`)[1]?.split('\n.SS ')[0]
      expect(own, words).toContain(description)
      for (const { flags } of options) expect(own, words).toContain(`.B ${flags}\n`)
    }
  })

  it('gives examples that the command takes', () => {
    expect(entries('EXAMPLES').length).toBeGreaterThan(4)
    for (const example of entries('EXAMPLES')) {
      const [name, ...words] = example.split(' ')
      expect(name).toBe('causeway')
      let at: Command = program
      while (at.commands.length > 0) {
        const next = at.commands.find((child) => child.name() === words[0])
        expect(next, example).toBeDefined()
        if (next === undefined) break
        words.shift()
        at = next
      }
      const known = [...at.options, ...program.options].flatMap(({ long }) => long ?? [])
      for (const word of words.filter((each) => each.startsWith('--'))) expect(known, example).toContain(word)
      expect(words.filter((each) => !each.startsWith('-')).length).toBeLessThanOrEqual(
        at.registeredArguments.length,
      )
    }
  })

  it('has the exit statuses of the documentation, files, and the variables of the options', () => {
    const documented = readFileSync(join(import.meta.dirname, '../../docs/terminal.md'), 'utf8')
    expect(entries('EXIT STATUS')).toEqual(
      [...documented.matchAll(/^\| (\d+) +\|/gm)].map(([, status]) => status),
    )
    expect(entries('FILES')).toContain('/etc/causeway/policy.json')
    expect(section('ENVIRONMENT')).toContain('CAUSEWAY_DATA_DIR')
  })

  function isHidden(words: string): boolean {
    const path = words.split(' ')
    let at: Command = program
    return path.some((word) => {
      const next = at.commands.find((child) => child.name() === word)
      const isShown = next !== undefined && at.createHelp().visibleCommands(at).includes(next)
      if (next !== undefined) at = next
      return !isShown
    })
  }
})
