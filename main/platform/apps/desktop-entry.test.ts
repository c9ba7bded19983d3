import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDesktopEntry } from './desktop-entry'
import { anyText } from '../../../scripts/any-text'

const entry = (lines: string) =>
  parseDesktopEntry(`[Desktop Entry]\nType=Application\nName=App\n${lines}`, [])
const named = (lines: string, ...languages: string[]) => {
  const read = parseDesktopEntry(`[Desktop Entry]\nType=Application\n${lines}`, languages)
  return read === 'deleted' ? undefined : read?.name
}

it('reads an entry as distributions have it', () => {
  const text = `# A comment
[Desktop Entry]
Version=1.0
Name=Firefox
Name[de]=Feuerfuchs
Exec=/usr/lib/firefox/firefox %u
Icon=firefox
Terminal=false
Type=Application

[Desktop Action new-window]
Name=New Window
Exec=/usr/lib/firefox/firefox --new-window %u
`
  expect(parseDesktopEntry(text, ['de-AT'])).toEqual({
    name: 'Feuerfuchs',
    icon: 'firefox',
    command: ['/usr/lib/firefox/firefox'],
    folder: undefined,
    inTerminal: false,
    isHidden: false,
    needs: undefined,
  })
})

it.each([
  ['Name=A\nName[pt]=B\nName[pt_BR]=C', 'C', ['pt-BR']],
  ['Name=A\nName[pt]=B\nName[pt_BR]=C', 'B', ['pt-PT']],
  ['Name=A\nName[sr]=B\nName[sr@latin]=C', 'C', ['sr-Latn-RS']],
  ['Name=A\nName[zh_TW]=B\nName[zh_CN]=C', 'B', ['zh-Hant']],
  ['Name=A\nName[nl]=B\nName[de]=C', 'C', ['uk', 'de', 'nl']],
  // What has no language is English.
  ['Name=A\nName[de]=B', 'A', ['en-GB', 'de']],
  ['Name=A\nName[en_GB]=B', 'B', ['en-GB']],
  ['Name=A\nName[de]=', 'A', ['de']],
  ['Name=A\nName[de]=B', 'A', ['not a tag']],
  ['Name = A\\sB ', 'A B', []],
])('of %j takes the name %j for %j', (lines, name, languages) => {
  expect(named(lines, ...languages)).toBe(name)
})

describe('the command', () => {
  it.each([
    ['app %U', ['app']],
    ['app --open %f --title %c --done', ['app', '--open', '--title', 'App', '--done']],
    ['app %i', ['app', '--icon', 'picture']],
    ['app 100%%', ['app', '100%']],
    ['"/opt/My App/run" "a \\"quoted\\" \\$word"', ['/opt/My App/run', 'a "quoted" $word']],
    ['env GDK_BACKEND=x11 app', ['env', 'GDK_BACKEND=x11', 'app']],
    ['app --url=%u', ['app', '--url=']],
  ])('of %s is %j', (exec, command) => {
    // A backslash of a text is written as two.
    const written = exec.replaceAll('\\', '\\\\')
    expect(entry(`Icon=picture\nExec=${written}`)).toMatchObject({ command })
  })

  it.each([
    '',
    'app "open',
    'app $(reboot)',
    'app; reboot',
    'app `reboot`',
    'app "$HOME"',
    'A=b app',
    'app"x"',
    'app > file',
  ])('of %j is none', (exec) => {
    expect(entry(`Exec=${exec}`)).toMatchObject({ command: undefined })
  })
})

it.each([
  ['no group', 'Type=Application\nName=A'],
  ['another group first, and none of its own', '[Other]\nType=Application\nName=A'],
  ['a link', '[Desktop Entry]\nType=Link\nName=A'],
  ['no name', '[Desktop Entry]\nType=Application'],
  ['a name of invisible characters', '[Desktop Entry]\nType=Application\nName=\u202e\u0007'],
  ['nothing', ''],
])('reads no app from %s', (_, text) => {
  expect(parseDesktopEntry(text, [])).toBeUndefined()
})

it('tells a deleted entry from one that is no app', () => {
  expect(entry('Hidden=true')).toBe('deleted')
})

it('shows names without control characters and direction overrides, and no longer than a line', () => {
  expect(named('Name=A\u202eB\u0000\u001b[31mC')).toBe('AB[31mC')
  expect(named(`Name=${'x'.repeat(5000)}`)).toHaveLength(100)
})

it('hides what is for other desktops or in no menu', () => {
  const hidden = (lines: string, ...desktops: string[]) => {
    const read = parseDesktopEntry(`[Desktop Entry]\nType=Application\nName=A\n${lines}`, [], desktops)
    return read !== undefined && read !== 'deleted' && read.isHidden
  }
  expect(hidden('NoDisplay=true')).toBe(true)
  expect(hidden('OnlyShowIn=KDE;XFCE;', 'GNOME')).toBe(true)
  expect(hidden('OnlyShowIn=KDE;XFCE;', 'KDE')).toBe(false)
  expect(hidden('NotShowIn=GNOME;', 'ubuntu', 'GNOME')).toBe(true)
  expect(hidden('')).toBe(false)
})

it('takes the first of a key that is there twice', () => {
  expect(entry('Exec=good\nExec=bad')).toMatchObject({ command: ['good'] })
})

it('never throws, whatever a file holds', () => {
  const line = fc.oneof(
    anyText(),
    fc.constantFrom('[Desktop Entry]', 'Type=Application', 'Name=A', 'Exec="', 'Exec=%', 'Name[]=x'),
    anyText().map((value) => `Exec=${value}`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      parseDesktopEntry(lines.join('\n'), ['de', '\u0000'])
    }),
  )
})
