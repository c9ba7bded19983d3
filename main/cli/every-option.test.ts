import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { TestLists } from '../platform/signed-list/signed-list.testing'
import { type Outcome, startCommandAndMock } from './causeway.testing'
import { createProgram } from './program'

const { command, mock } = await startCommandAndMock({ autoApprove: true })
const lists = await TestLists.start()
afterAll(() => lists.close())

const withoutInput = ['/bin/sh', '-c', 'exec "$@" </dev/null', 'sh']

/** The arguments of every command, by its words; undefined for those that would change this computer. */
const commands: Readonly<Record<string, readonly string[] | undefined>> = {
  discover: ['college'],
  'instance add': ['vpn.invalid'],
  'instance list': [],
  'instance remove': ['vpn.invalid'],
  'instance set': ['--client-id', 'org.example.app'],
  'instance show': [],
  'location list': [],
  'location set': ['NL'],
  login: [],
  logout: [],
  'profile list': [],
  'profile config': ['internet'],
  connect: ['internet', '--check'],
  status: [],
  disconnect: [],
  reconnect: [],
  'policy check': ['/nonexistent.json'],
  'certificate show': [],
  'certificate check': [],
  'certificate renew': [],
  'message list': [],
  'attachment list': [],
  'attachment for-video': ['v1'],
  'attachment show': ['none'],
  'attachment add-link': ['https://example.org', '--title', 'Link'],
  'attachment edit': ['none', '--title', 'Other'],
  'attachment delete': ['none', '--yes'],
  'attachment upload': ['/nonexistent.txt'],
  'attachment replace': ['none', '/nonexistent.txt', '--yes'],
  'attachment download': ['none', '/nonexistent/file'],
  'content account-info': [],
  'content account-posts': [],
  'content club': [],
  'content item': ['1'],
  'content search': ['words'],
  'content tweets': [],
  'content news': [],
  'content categories': [],
  'content reveal': ['https://example.org'],
  'content report-misprint': ['--url', 'https://example.org', '--text', 'x'],
  'organization show': [],
  'organization create': ['Name'],
  'organization update': ['--name', 'Other'],
  'organization delete': ['--yes'],
  'organization users': [],
  'organization add-user': ['ann', '--role', 'Viewer'],
  'organization set-role': ['ann', '--role', 'Viewer'],
  'organization remove-user': ['ann'],
  'organization credentials show': [],
  'organization credentials set': ['--kind', 'bearer'],
  'organization credentials remove': [],
  'settings list': [],
  'settings get': ['language'],
  'settings set': ['reconnect', 'true'],
  'apps list': [],
  'apps add': ['sh'],
  'apps remove': ['sh'],
  'apps mode': ['all', '--profile', 'internet'],
  outside: ['--pid', '999999999'],
  inside: ['--pid', '999999999'],
  doctor: [],
  'helper install': undefined,
  'helper allow': undefined,
  'helper deny': undefined,
  'helper groups': undefined,
  'helper remove': undefined,
  'helper status': [],
  log: [],
  report: [],
  completion: ['bash'],
  app: [],
}

function leavesOf(parent: Command, path = ''): string[] {
  return parent.commands.flatMap((child) =>
    child.commands.length === 0 ? [path + child.name()] : leavesOf(child, `${path}${child.name()} `),
  )
}

/** What a run of a command with all the options shows. */
interface Ran extends Outcome {
  readonly opened: readonly string[]
  readonly home: readonly string[]
  readonly outcomeInEnglish: Outcome
}

const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const messageIn = ({ stderr }: Outcome): unknown => {
  const error = jsonLines(stderr).find((line) => 'error' in line)?.error
  return (error as { readonly message?: string } | undefined)?.message
}

/** The value of every shared option, and what shows that a command honours it. Refusing one is status 2. */
const options: Readonly<
  Record<string, { readonly value?: () => string; readonly isHonoured: (ran: Ran) => void }>
> = {
  '--json': {
    isHonoured: ({ stdout, stderr }) => {
      // A command that goes on prints a line for each event.
      expect(() => [jsonLines(stdout), jsonLines(stderr)]).not.toThrow()
    },
  },
  '--data-dir': {
    value: () => 'set by the test',
    isHonoured: ({ home }) => {
      expect(home).toEqual([])
    },
  },
  '--lang': {
    value: () => 'de',
    isHonoured: (ran) => {
      const message = messageIn(ran)
      if (message !== undefined && ran.status !== 2) expect(message).not.toBe(messageIn(ran.outcomeInEnglish))
    },
  },
  '--secret-store': {
    value: () => 'file',
    isHonoured: ({ stderr }) => {
      expect(stderr).not.toMatch(/secret-store\/(?:unavailable|failed|locked)/)
    },
  },
  '--no-login': {
    isHonoured: ({ opened }) => {
      expect(opened).toEqual([])
    },
  },
  '--browser': {
    value: () => 'set by the test',
    isHonoured: ({ opened }) => {
      expect(opened).not.toContain('other')
    },
  },
  '--quiet': {
    isHonoured: ({ stderr }) => {
      expect(jsonLines(stderr).filter((line) => 'warning' in line || 'warnings' in line)).toEqual([])
    },
  },
  // Tests of their own show what these change; here, that each command accepts or refuses them.
  '--openvpn': { value: () => '/nonexistent/openvpn', isHonoured: () => undefined },
  '--discovery': { value: () => lists.url, isHonoured: () => undefined },
  '--discovery-key': { value: () => lists.signer.publicKey, isHonoured: () => undefined },
  '--verbose': { isHonoured: () => undefined },
  '--offline': { isHonoured: () => undefined },
}

describe('every command with every shared option', () => {
  const program = createProgram('1')

  it('is tried', () => {
    expect(Object.keys(commands).sort()).toEqual(leavesOf(program).sort())
    expect(Object.keys(options).sort()).toEqual(
      program.options.flatMap(({ long }) => (long === '--version' || !long ? [] : [long])).sort(),
    )
  })

  it('says that --no-login rules out a login', async () => {
    const person = await command.person(mock.instance)
    expect(await person.failure(['login', '--no-login'])).toMatchObject({
      status: 3,
      code: 'oauth/login-required',
      message:
        'Signing in needs the browser, which --no-login rules out. Run the command again without --no-login.',
    })
    expect(await person.failure(['completion', 'bash'])).toMatchObject({
      status: 2,
      code: 'usage/invalid-argument',
    })
  })

  const tried = Object.entries(commands).flatMap(([words, args]) => (args ? [[words, args] as const] : []))
  it.each(tried)('%s', async (words, args) => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-options-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [dataDir, home, marks] = ['data', 'home', 'marks'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const each of [dataDir, home, marks]) await mkdir(each)
    const person = await command.person()
    const browser = async (name: string): Promise<string> => {
      const path = join(folder, name)
      await writeFile(path, `#!/bin/sh\ntouch '${join(marks, name)}'\nexit 1\n`, { mode: 0o755 })
      return path
    }
    const values: Readonly<Record<string, string>> = {
      '--data-dir': dataDir,
      '--browser': await browser('given'),
    }
    const env = {
      CAUSEWAY_DATA_DIR: join(home, 'data'),
      CAUSEWAY_SECRET_STORE: 'os',
      CAUSEWAY_BROWSER: await browser('other'),
    }
    const given = Object.entries(options).flatMap(([name, { value }]) =>
      value === undefined ? [name] : [name, values[name] ?? value()],
    )
    await person.run(['instance', 'add', mock.instance, ...given], { env })
    // It would wait for a secret in its input.
    const through = words === 'organization credentials set' ? { through: withoutInput } : {}
    const ran = await person.run([...words.split(' '), ...args, ...given], { env, ...through })
    const outcomeInEnglish = await person.run([...words.split(' '), ...args, ...given, '--lang', 'en'], {
      env,
      ...through,
    })
    const seen: Ran = { ...ran, outcomeInEnglish, opened: await readdir(marks), home: await readdir(home) }
    for (const { isHonoured } of Object.values(options)) isHonoured(seen)
  })
})
