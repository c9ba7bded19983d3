import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAutostartEntry, writeAutostartEntry } from './autostart-entry'

it('quotes only what the specification requires', () => {
  const text = writeAutostartEntry(['/opt/My Apps/causeway', '--hidden', '/a/$HOME/"b"/`c`/100%/d\\e'])
  expect(text).toContain(
    String.raw`Exec="/opt/My Apps/causeway" --hidden "/a/\\$HOME/\\"b\\"/\\${'`'}c\\${'`'}/100%%/d\\\\e"` +
      '\n',
  )
})

it('reads back any command that it wrote', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (command) => {
      const [program = '', ...args] = command
      const text = writeAutostartEntry([program, ...args])
      expect(text.split('\n')).toHaveLength(11)
      expect(readAutostartEntry(text)).toEqual({ switchedOff: false, command })
    }),
    { numRuns: 500, seed: 1, examples: [[['\u2028', '\u2029\u0085\u000b']]] },
  )
})

it.each([
  ['Hidden=true', { switchedOff: true }],
  ['X-GNOME-Autostart-enabled=false', { switchedOff: true }],
  ['Hidden=false', { switchedOff: false }],
  ['[Desktop Action off]\nHidden=true\nExec=/bin/false', { switchedOff: false, command: ['/bin/causeway'] }],
  ['Type=Link', { command: [] }],
  ['Exec = env A="b c" causeway %U', { command: ['env', 'A=b c', 'causeway'] }],
])('reads an entry that a user or a desktop changed: %s', (lines, expected) => {
  const entry = readAutostartEntry(
    `# by hand\r\n[Desktop Entry]\r\nType=Application\nExec=/bin/causeway\n${lines}\n`,
  )
  expect(entry).toMatchObject(expected)
})
