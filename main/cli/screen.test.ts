import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startCommandAndMock } from './causeway.testing'
import { cells, type Screen, screenOf, wrapped } from './screen'
import { table, Terminal } from './terminal'

const { command } = await startCommandAndMock({})

const shell: Screen = { columns: 40, colours: true, ascii: false }

/** Returns what a terminal with this screen prints. */
function printed(screen: Screen, print: (terminal: Terminal) => void): string {
  let text = ''
  const take = (chunk: unknown): boolean => {
    text += String(chunk)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(take)
  vi.spyOn(process.stderr, 'write').mockImplementation(take)
  vi.stubEnv('FORCE_COLOR', '1')
  print(new Terminal({ json: false, verbose: false, screen }))
  return text
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('the screen', () => {
  it('has colours on a terminal only, unless the user wants none', () => {
    const tty = { isTTY: true, columns: 80 }
    expect(screenOf(tty, {})).toEqual({ columns: 80, colours: true, ascii: false })
    expect(screenOf({}, {})).toEqual({ columns: undefined, colours: false, ascii: false })
    expect(screenOf(tty, { NO_COLOR: '1' }).colours).toBe(false)
    expect(screenOf(tty, { NO_COLOR: '' }).colours).toBe(true)
    expect(screenOf(tty, { TERM: 'dumb' }).colours).toBe(false)
  })

  it.each([
    [{ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, true],
    [{ LANG: 'POSIX' }, true],
    [{ LC_ALL: '', LC_CTYPE: 'C' }, true],
    [{ LC_ALL: 'C.UTF-8' }, false],
    [{}, false],
  ])('shows ASCII only with %o: %s', (env, ascii) => {
    expect(screenOf({}, env).ascii).toBe(ascii)
  })
})

describe('a result', () => {
  const moods = { ok: 'good', MISSING: 'bad' } as const
  const text = 'ok  openvpn ok\nMISSING  helper…\n  “ok”'

  it('has colours for words at the start of a line', () => {
    const shown = printed(shell, (terminal) => {
      terminal.result(undefined, text, moods)
    })
    expect(shown).toBe('\u001b[32mok\u001b[39m  openvpn ok\n\u001b[31mMISSING\u001b[39m  helper…\n  “ok”\n')
  })

  it('has no colours and only ASCII where the screen has neither', () => {
    const shown = printed({ columns: undefined, colours: false, ascii: true }, (terminal) => {
      terminal.result(undefined, text, moods)
      terminal.note('Connecting… · Büro')
    })
    expect(shown).toBe('ok  openvpn ok\nMISSING  helper...\n  "ok"\nConnecting... - Büro\n')
  })

  it('stays as it is where other programs read it', () => {
    const shown = printed({ ...shell, ascii: true }, (terminal) => {
      terminal.document(undefined, '{"line":"“ok”"}')
    })
    expect(shown).toBe('{"line":"“ok”"}\n')
  })
})

it('has local times in messages for people', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  const report = { code: 'http/unreachable', message: 'Since 2026-11-20T18:29:34.123Z.' } as const
  const shown = printed(shell, (terminal) => {
    terminal.error(report)
  })
  expect(shown).toMatch(/^causeway: Since Nov 21, 2026, 3:29\sAM\. \(http\/unreachable\)\n$/)
})

describe('a table', () => {
  const rows = [
    ['office-network-of-the-institute', 'A rather long name of a profile', 'all'],
    ['x', '東京の事務所のネットワーク', 'some'],
  ]
  const header = ['PROFILE', 'NAME', 'TRAFFIC']

  it('fits the terminal: its widest free text is cut off, and never an id', () => {
    const lines = table(header, rows, { columns: 60, ascii: false }).split('\n')
    expect(Math.max(...lines.map(cells))).toBeLessThanOrEqual(60)
    expect(lines[1]).toBe('office-network-of-the-institute  A rather long nam…  all')
    expect(lines[2]).toContain('…')
    expect(table(header, rows, { columns: 60, ascii: true })).toContain('A rather long n...')
  })

  it('shares what is missing among several wide columns', () => {
    const people = [['1', 'wilhelmina-alexandrine', 'wilhelmina-alexandrine@example.org', 'Viewer']]
    const head = ['USER', 'USER NAME', 'E-MAIL', 'ROLE']
    const [, line = ''] = table(head, people, { columns: 50, ascii: false }).split('\n')
    expect(cells(line)).toBe(50)
    expect(line).toMatch(/^1 {5}wilhelmina-al\S*… {2}wilhelmina-al\S*… {2}Viewer$/)
  })

  it('is whole where it fits, and where no terminal shows it', () => {
    const whole = table(header, rows, { columns: undefined, ascii: false })
    expect(whole).toContain('A rather long name of a profile  all')
    expect(table(header, rows, { columns: 200, ascii: false })).toBe(whole)
  })
})

describe('a text on a screen', () => {
  const text = 'The helper is not installed. ネットワーク is wide.'

  it('is broken between words, by the cells that they take', () => {
    expect(wrapped(text, 2, 20)).toBe(
      ['  The helper is not', '  installed.', '  ネットワーク is', '  wide.'].join('\n'),
    )
    expect(wrapped('causeway helper-install-nothing now', 2, 20)).toBe(
      ['  causeway', '  helper-install-nothing', '  now'].join('\n'),
    )
  })

  it('stays as it is where nothing shows it', () => {
    expect(wrapped(text, 2, undefined)).toBe(`  ${text}`)
  })
})

it('prints errors but no warnings with --quiet', async () => {
  const person = await command.person()
  expect((await person.run(['settings', 'list', '--quiet'])).stderr).toBe('')
  expect((await person.run(['settings', 'list'])).stderr).toMatch(/^Warning: Your sign-ins are stored in/)
  // Once a day.
  expect((await person.run(['settings', 'list'])).stderr).toBe('')
  const yesterday = Date.now() / 1000 - 25 * 3600
  await utimes(join(person.dataDir, 'secrets-warned'), yesterday, yesterday)
  expect((await person.run(['settings', 'list', '--json'])).stderr).toContain('secret-store/in-file')
  for (const args of [['--quiet'], ['--json', '--quiet']])
    expect((await person.run(['settings', 'list', ...args])).stderr).toBe('')
  const failed = await person.run(['settings', 'get', 'nothing', '--json', '--quiet'])
  expect(failed).toMatchObject({ status: 2, stderr: expect.not.stringContaining('warnings') as string })
})
