import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../scripts/fuzzing'
import { fileNameFor, numberedName } from './file-name'
import { anyText } from '../../../scripts/any-text'

describe('the name of a downloaded file', () => {
  it.each([
    ['A paper', 'pdf', 'A paper.pdf'],
    ['A paper.PDF', 'pdf', 'A paper.pdf'],
    ['Röntgen: what is it?', 'docx', 'Röntgen_ what is it_.docx'],
    ['../../etc/passwd', 'txt', '_.._etc_passwd.txt'],
    ['C:\\Windows\\x', 'dll', 'C__Windows_x.dll'],
    ['.bashrc', '', 'bashrc'],
    ['...', 'txt', 'attachment.txt'],
    ['', '', 'attachment'],
    ['nul', 'txt', '_nul.txt'],
    ['COM1', '', '_COM1'],
    ['aux .b', 'c', '_aux .b.c'],
    ['console', 'log', 'console.log'],
    ['a\u202efdp.exe', 'pdf', 'afdp.exe.pdf'],
    ['line\none\ttwo\u0000', 'txt', 'line one two_.txt'],
    ['half \ud800', 'txt', 'half _.txt'],
    ['ends with a stop. ', '', 'ends with a stop'],
    ['x', '../sh', 'x._sh'],
    ['-rf', 'txt', 'rf.txt'],
    ['--output=x', '', 'output=x'],
    ['. -~-. x', 'sh', 'x.sh'],
    ['–rf', 'txt', 'rf.txt'],
    ['~root', 'txt', 'root.txt'],
    ['~$report', 'docx', '$report.docx'],
    ['-', 'txt', 'attachment.txt'],
    ['-nul', 'txt', '_nul.txt'],
    ['a-b~', 'txt', 'a-b~.txt'],
    ['con', '', '_con'],
    ['Clock$', '', '_Clock$'],
    ['شبکه\u200cها', 'txt', 'شبکه\u200cها.txt'],
  ])('of title %j and extension %j is %j', (title, extension, name) => {
    expect(fileNameFor(title, extension)).toBe(name)
  })

  it('fits every file system, and splits no character', () => {
    const name = fileNameFor('🔒'.repeat(1000), 'tar')
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/^(🔒)+\.tar$/u)
  })

  it('is one visible path segment on every system, for any title', () => {
    const text = anyText()
    fc.assert(
      fc.property(text, text, (title, extension) => {
        const name = fileNameFor(title, extension)
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^[.\s~-]|[.\s]$/u)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(250)
        expect(name.length).toBeGreaterThan(0)
      }),
      cases('the title of an attachment, as a file name'),
    )
  })
})

it('adds a number before the extension of a name that is taken', () => {
  expect(numberedName('a.b.pdf', 2)).toBe('a.b (2).pdf')
  expect(numberedName('README', 1)).toBe('README (1)')
})
