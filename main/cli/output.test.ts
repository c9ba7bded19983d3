import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { terminalText } from '../../contract/safe-text'
import { Terminal } from './terminal'
import { anyText } from '../../scripts/any-text'

/** Characters that change the text direction, control a terminal, or end a line in some programs. */
const hostile = [
  ...[0x07, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9d, 0x9f, 0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xe0041],
].map((code) => String.fromCodePoint(code))
const text = `a${hostile.join('b')}c`

let stdout = ''
let stderr = ''

beforeEach(() => {
  stdout = ''
  stderr = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

function say(terminal: Terminal, output: string): void {
  const report = { code: 'http/unreachable', message: output, details: { name: output } } as const
  terminal.result({ [output]: [output] }, output)
  terminal.note(output)
  terminal.detail(output)
  terminal.warn(report)
  terminal.notice(report)
  terminal.error(report)
  terminal.warn(report)
  terminal.end()
}

describe('a text from a server', () => {
  it.each([true, false])('is printed without control and direction characters (json: %s)', (json) => {
    say(new Terminal({ json, verbose: true }), text)
    expect(stdout).toContain('a')
    expect(stderr).toContain('a')
    for (const character of hostile) expect(stdout + stderr).not.toContain(character)
  })

  it('is unchanged after parsing the JSON', () => {
    fc.assert(
      fc.property(anyText(), (output) => {
        stdout = ''
        new Terminal({ json: true, verbose: false }).result({ output }, '')
        expect(stdout.trimEnd().split('\n')).toHaveLength(1)
        expect(JSON.parse(stdout)).toEqual({ output })
      }),
      { numRuns: 1000, seed: 1 },
    )
  })

  it('adds no line to an error', () => {
    say(new Terminal({ json: false, verbose: false }), 'one\ncauseway: two')
    expect(stderr).toContain('causeway: one causeway: two (http/unreachable)\n')
    expect(stderr).toContain('Warning: one causeway: two\n')
  })

  it("is OpenVPN's line below an error that is about one", () => {
    const reason = 'Options error: one\ncauseway: two'
    const report = { code: 'openvpn/configuration-refused', message: 'No.', details: { reason } } as const
    new Terminal({ json: false, verbose: false }).error(report)
    expect(stderr).toBe(
      'causeway: No. (openvpn/configuration-refused)\n  OpenVPN: Options error: one causeway: two\n',
    )
    stderr = ''
    new Terminal({ json: false, verbose: false }).error({ ...report, code: 'openvpn/unreachable' })
    expect(stderr).toBe('causeway: No. (openvpn/unreachable)\n')
  })
})

describe('terminalText', () => {
  it('removes control and direction characters', () => {
    expect(terminalText('a\u001b[2Jb\u0007c\u202Ed\u0000\r\ne')).toBe('a[2Jbcd\ne')
  })

  it('replaces tabs and line separators with spaces', () => {
    expect(terminalText('remote\thost\u2028next')).toBe('remote host next')
  })
})
