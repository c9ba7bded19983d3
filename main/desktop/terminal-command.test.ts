import { expect, it } from 'vitest'
import { createProgram } from '../cli/program'
import { maybeForTerminal } from './maybe-terminal'
import { terminalArguments } from './terminal-command'

function read(...args: string[]): string[] | undefined {
  return terminalArguments(args, '1.0.0')
}

it('runs a command of the terminal in an installed app, which has no other program for that', () => {
  expect(read('status')).toEqual(['status'])
  expect(read('--data-dir', '/tmp/x', '--json', 'helper', 'install')).toEqual([
    ...['--data-dir', '/tmp/x', '--json', 'helper', 'install'],
  ])
  expect(read('--help')).toEqual(['--help'])
  expect(read('help', 'connect')).toEqual(['help', 'connect'])
  expect(read('--no-sandbox', 'doctor')).toEqual(['doctor'])
})

it('opens the window otherwise, also where a value is named like a command', () => {
  expect(read()).toBeUndefined()
  expect(read('--hidden', '--ozone-platform=wayland')).toBeUndefined()
  expect(read('--data-dir', 'status')).toBeUndefined()
  expect(read('/tmp/some-file')).toBeUndefined()
})

it('need not be loaded to know that a start without its words is for the window', () => {
  const names = createProgram('1.0.0').commands.map((command) => command.name())
  for (const words of [...names, 'help', '-h', '--help'])
    expect(maybeForTerminal(['--json', words])).toBe(true)
  expect(maybeForTerminal(['--hidden', '.', '/opt/Causeway', '--lang=nl'])).toBe(false)
})
