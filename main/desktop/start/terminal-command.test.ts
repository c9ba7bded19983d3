import { expect, it } from 'vitest'
import { createProgram } from '../../cli/program'
import { maybeForTerminal } from './maybe-terminal'
import { terminalArguments } from './terminal-command'

function read(...args: string[]): string[] | undefined {
  return terminalArguments(args, '1.0.0')
}

it('returns the arguments of a terminal command', () => {
  expect(read('status')).toEqual(['status'])
  expect(read('--data-dir', '/tmp/x', '--json', 'helper', 'install')).toEqual([
    ...['--data-dir', '/tmp/x', '--json', 'helper', 'install'],
  ])
  expect(read('--help')).toEqual(['--help'])
  expect(read('help', 'connect')).toEqual(['help', 'connect'])
  expect(read('--no-sandbox', 'doctor')).toEqual(['doctor'])
})

it('leaves a mistyped command to the terminal command, which suggests another', () => {
  expect(read('conect')).toEqual(['conect'])
  expect(read('--json', 'helper-install')).toEqual(['--json', 'helper-install'])
})

it('opens the window otherwise, also if an option value is a command name', () => {
  expect(read()).toBeUndefined()
  expect(read('app')).toBeUndefined()
  expect(read('app', '--hidden')).toBeUndefined()
  expect(read('--hidden', '--ozone-platform=wayland')).toBeUndefined()
  expect(read('--data-dir', 'status')).toBeUndefined()
  expect(read('/tmp/some-file')).toBeUndefined()
})

it('is skipped for arguments without a word like a command name', () => {
  const names = createProgram('1.0.0').commands.map((command) => command.name())
  for (const words of [...names, 'help', '-h', '--help'])
    expect(maybeForTerminal(['--json', words])).toBe(true)
  expect(maybeForTerminal(['--hidden', '.', '/opt/Causeway', '--lang=nl'])).toBe(false)
})
