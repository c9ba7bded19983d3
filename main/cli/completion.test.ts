import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiVersions } from '../../contract/choices'
import { manPage } from '../../scripts/man-page'
import { startTestMock } from '../../mock-server/test-authority'
import { answerPath, nameOfRead } from '../services/offline-cache/answer-path'
import { BuiltCommand, type Person } from './causeway.testing'
import { completionScript, type Shell, shells } from './completion'
import { createProgram } from './program'

const program = createProgram('1.2.3')
let folder: string
let command: BuiltCommand
let person: Person
/** The address without its scheme of a service that was asked before, and now is gone. */
let instance: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-completion-'))
  await Promise.all(shells.map((shell) => writeFile(join(folder, shell), completionScript(program, shell))))
  await mkdir(join(folder, 'bin'))
  await mkdir(join(folder, 'files'))
  await writeFile(join(folder, 'files', 'a report.pdf'), '')
  command = await BuiltCommand.make()
  const quoted = command.words.map((word) => `'${word}'`).join(' ')
  await writeFile(join(folder, 'bin', 'causeway'), `#!/bin/sh\nexec ${quoted} "$@"\n`)
  await chmod(join(folder, 'bin', 'causeway'), 0o755)
  const mock = await startTestMock({ autoApprove: true })
  instance = new URL(mock.instance).host
  person = await command.person(mock.instance)
  await person.json('profile', 'list')
  await mock.close()
})
afterAll(async () => {
  await command.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Replaces the last answer of the service by one with these profiles. */
async function writeProfiles(profiles: readonly object[]): Promise<void> {
  const seen = join(person.dataDir, 'seen')
  const stored = JSON.parse(await readFile(answerPath(seen, instance, 'endpoints'), 'utf8')) as {
    json: string
  }
  const { apiBaseUri } = JSON.parse(stored.json) as { apiBaseUri: string }
  const json = JSON.stringify({ profile_list: { data: profiles }, info: { profile_list: profiles } })
  for (const call of ['profile_list', 'info']) {
    const name = nameOfRead(new URL(`${apiBaseUri}/${call}`))
    await writeFile(answerPath(seen, instance, name), JSON.stringify({ version: 1, cachedAt: 0, json }))
  }
}

/** Asks each shell in its own way what it would offer at the end of a line. */
const asking: Readonly<Record<Shell, string>> = {
  bash: `source "$0"; COMP_LINE=$1; COMP_POINT=\${#1}; read -ra COMP_WORDS <<< "$1"; compopt() { compgen -f -- "$current"; }; _causeway; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compadd() { print -rl -- $names }; _files() { print -rl -- \${current#*=}*(N) }; compset() { true }; compdef() { true }; setopt extended_glob; source "$0"; words=("\${(@Q)\${(z)1}}"); [[ $1 == *' ' ]] && words+=(''); CURRENT=$#words PREFIX=$words[-1]; _causeway`,
  fish: `source $argv[1]; complete -C $argv[2]`,
}

/** Returns what a shell offers for the last word of a line, without descriptions. */
async function offered(shell: Shell, line: string): Promise<string[]> {
  const { stdout } = await execa(
    shell,
    [
      ...(shell === 'bash' ? ['--norc'] : shell === 'zsh' ? ['-f'] : ['-N']),
      '-c',
      asking[shell],
      join(folder, shell),
      line,
    ],
    {
      cwd: join(folder, 'files'),
      extendEnv: false,
      env: {
        HOME: person.dataDir,
        LANG: 'C.UTF-8',
        CAUSEWAY_DATA_DIR: person.dataDir,
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      },
    },
  )
  const words = stdout.split('\n').map((each) => each.split('\t')[0] ?? '')
  // Zsh's own part chooses from all words; fish adds those that have the letters anywhere.
  const typed = /[^ ]*$/.exec(line)?.[0] ?? ''
  const chosen = shell === 'bash' ? words : words.filter((word) => word.startsWith(typed))
  return chosen.length === 0 ? [''] : chosen
}

const installed = await Promise.all(
  shells.map(async (shell) => {
    const { failed } = await execa(shell, ['--version'], { reject: false })
    return process.platform === 'win32' || failed ? [] : [shell]
  }),
)

describe.each(installed.flat())('the completion for %s', (shell) => {
  it('offers commands, subcommands and their options', async () => {
    expect((await offered(shell, 'causeway co')).toSorted()).toEqual(['completion', 'connect', 'content'])
    expect(await offered(shell, 'causeway instance ')).toEqual(
      expect.arrayContaining(['add', 'list', 'remove', 'set', 'show']),
    )
    expect(await offered(shell, 'causeway connect office --de')).toEqual(['--detach'])
    expect(await offered(shell, 'causeway instance add --cl')).toEqual(['--client-id'])
    expect(await offered(shell, 'causeway status --js')).toEqual(['--json'])
    expect(await offered(shell, 'causeway connect --ba')).toEqual([''])
  })

  it('offers the profiles and instances that were seen, without a request', async () => {
    expect(await offered(shell, 'causeway connect ')).toEqual(expect.arrayContaining(['internet', 'office']))
    expect(await offered(shell, 'causeway connect --timeout 5 --prefer-tcp off')).toEqual(['office'])
    expect(await offered(shell, 'causeway connect --instance other.example.org ')).toEqual([''])
    expect(await offered(shell, `causeway profile config --instance ${instance} off`)).toEqual(['office'])
    // Bash replaces what follows the last colon.
    const id = shell === 'bash' ? instance.replace(/.*:/, '') : instance
    expect(await offered(shell, `causeway login ${instance.slice(0, -1)}`)).toEqual([id])
    expect(await offered(shell, 'causeway profile list ')).toEqual([instance])
  })

  it('offers settings and their values, and the choices of options', async () => {
    expect(await offered(shell, 'causeway settings get ki')).toEqual(['killSwitch'])
    expect(await offered(shell, 'causeway settings set killSwitch ')).toEqual(
      expect.arrayContaining(['true', 'false']),
    )
    expect(await offered(shell, 'causeway settings set theme d')).toEqual(['dark'])
    expect(await offered(shell, 'causeway connect --tunnel w')).toEqual(['wireguard'])
    expect(await offered(shell, 'causeway status --secret-store ')).toEqual(
      expect.arrayContaining(['os', 'file']),
    )
    expect(await offered(shell, 'causeway connect --timeout ')).toEqual([''])
    expect(await offered(shell, 'causeway instance add --api ')).toEqual(apiVersions.map(String))
  })

  it.runIf(existsSync('/etc/group'))('offers the groups of this computer', async () => {
    for (const word of ['allow', 'deny'])
      expect(await offered(shell, `causeway helper ${word} --group da`)).toContain('daemon')
  })

  it('offers files where a file is meant', async () => {
    const offers = await offered(shell, 'causeway attachment upload a')
    expect(offers.join().replaceAll('\\', '')).toContain('a report.pdf')
    expect((await offered(shell, 'causeway status --data-dir a')).join()).toContain('report.pdf')
    expect((await offered(shell, 'causeway status a')).join()).not.toContain('report.pdf')
  })
})

describe('the values for a completion', () => {
  it('are none where nothing is stored, or it is damaged', async () => {
    const empty = await command.person()
    const values = async () => (await empty.start(['complete-values', 'profile'])).stdout
    expect(await values()).toBe('')
    await writeFile(join(empty.dataDir, 'instances.json'), '{"instances": [{"address": 5}, 7')
    expect(await values()).toBe('')
  })
})

it.skipIf(process.platform === 'win32')(
  'takes no folder below the current one for the home directory',
  async () => {
    const other = await command.person()
    const { dataDir } = other
    const below = join(dataDir, '.config', 'causeway')
    await mkdir(below, { recursive: true })
    await writeFile(join(below, 'instances.json'), '{"instances": [{"address": "https://below.example/"}]}')
    const through = ['sh', '-c', 'cd "$0" && exec "$@"', dataDir]
    for (const HOME of ['', '.']) {
      const env = { HOME, XDG_CONFIG_HOME: '', CAUSEWAY_DATA_DIR: '' }
      const { exitCode, stdout } = await other.start(['complete-values', 'instance'], { env, through })
      expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('below.example')])
    }
  },
)

it('runs nothing in a shell that a service has put into a name', async () => {
  const name = '$(touch pwned)`touch pwned`;touch pwned'
  await writeProfiles([
    { profile_id: name, display_name: name },
    { profile_id: 'a\u001b[31m' },
    { profile_id: '--browser=touch' },
  ])
  for (const shell of installed.flat()) {
    const offers = await offered(shell, 'causeway connect ')
    expect(offers).toHaveLength(1)
    expect(offers[0]?.replaceAll('\\', '')).toBe(name)
    expect(await offered(shell, 'causeway policy check pw')).toEqual([''])
  }
})

describe('the manual page', () => {
  const page = manPage(program, '1.2.3')

  it('describes every command with its options', () => {
    expect(page).toContain('.TH CAUSEWAY 1 "" "causeway 1.2.3"')
    expect(page).toContain('.SS instance add')
    for (const heading of ['ENVIRONMENT', 'FILES', 'EXAMPLES', 'EXIT STATUS', 'SEE ALSO'])
      expect(page).toMatch(new RegExp(`^\\.SH ${heading}$`, 'm'))
    expect(page).toContain('\\-\\-detach')
    expect(page).not.toContain('background\\fR')
    expect(page).not.toMatch(/\\-\\-background/)
  })

  it('has no line that man would take for a command of its own', () => {
    const commands = page.match(/^[.'].*$/gm) ?? []
    for (const line of commands) expect(line).toMatch(/^\.(TH|SH|SS|TP|B|BR|br)\b/)
  })
})
