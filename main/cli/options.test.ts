import { type Command, Option } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { createProgram } from './program'
import type { GlobalOptions } from './global-options'
import { addGlobalOptions, CausewayCommand } from './options'

afterEach(() => {
  vi.unstubAllEnvs()
})

function read(...args: string[]): GlobalOptions {
  const program = addGlobalOptions(new CausewayCommand('causeway'))
  const seen: GlobalOptions[] = []
  program.command('login').action((_options, command: Command) => {
    seen.push(command.optsWithGlobals<GlobalOptions>())
  })
  program.parse(args, { from: 'user' })
  const [options] = seen
  if (options === undefined) throw new Error('The command did not run')
  return options
}

it('accepts options before and after the command', () => {
  expect(read('--data-dir', 'a', 'login', '--json')).toMatchObject({ dataDir: 'a', json: true })
})

it('reads options from the environment, but prefers the command line', () => {
  vi.stubEnv('CAUSEWAY_DATA_DIR', 'there')
  vi.stubEnv('CAUSEWAY_SECRET_STORE', 'file')
  vi.stubEnv('CAUSEWAY_NO_LOGIN', '1')
  expect(read('login')).toMatchObject({ dataDir: 'there', secretStore: 'file', login: false })
  expect(read('login', '--data-dir', 'here')).toMatchObject({ dataDir: 'here' })
})

it('reads options created with addOption from the environment', () => {
  vi.stubEnv('CAUSEWAY_COUNT', '2')
  const program = new CausewayCommand('causeway')
  const seen: unknown[] = []
  program
    .command('list')
    .addOption(new Option('--count <number>', '').argParser(Number))
    .action((options) => {
      seen.push(options)
    })
  program.parse(['list'], { from: 'user' })
  program.parse(['list', '--count', '3'], { from: 'user' })
  expect(seen).toEqual([{ count: 2 }, { count: 3 }])
})

it('reads every option with a value of every command from the environment', () => {
  const optionsOf = (command: Command): readonly Option[] => [
    ...command.options,
    ...command.commands.flatMap(optionsOf),
  ]
  const valued = optionsOf(createProgram('1')).filter(({ required, optional }) => required || optional)
  expect(valued.length).toBeGreaterThan(50)
  expect(valued.filter(({ envVar }) => envVar === undefined).map(({ flags }) => flags)).toEqual([])
})

it.each(['', '0', 'false'])('leaves an option off if its variable is %o', (value) => {
  vi.stubEnv('CAUSEWAY_JSON', value)
  vi.stubEnv('CAUSEWAY_NO_LOGIN', value)
  expect(read('login')).not.toHaveProperty('json')
  expect(read('login')).toMatchObject({ login: true })
})
