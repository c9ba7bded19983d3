import { expect, it } from 'vitest'

import { powershell } from './windows-exit-event'

it('starts PowerShell with words that survive the parsing of cmd and Windows', () => {
  const [program, ...words] = powershell('causeway-0123', 'causeway-4567', 'C:\\Windows')
  expect(program).toBe('C:\\Windows\\System32\\cmd.exe')
  expect(words.slice(0, -1)).toEqual(['/d', '/s', '/c'])
  // With /s cmd removes the first and the last quotation mark.
  const [, line = ''] = /^"(.*)"$/.exec(words.at(-1) ?? '') ?? []
  const [, path, options, script = ''] = /^"([^"]*)" ([^"]*) "([^"]*)"$/.exec(line) ?? []
  expect(path).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
  expect(options).toBe('-NoProfile -NoLogo -NonInteractive -InputFormat None -Command')
  expect(script).toContain("::ManualReset, 'causeway-0123')")
  expect(script).toContain("::OpenExisting('causeway-4567')")
  expect(script).not.toMatch(/["%^!\\\n]/)
  expect(line.length).toBeLessThan(8000)
})
