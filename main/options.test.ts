import type { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
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

it('takes an option after the command as well as before it', () => {
  expect(read('--data-dir', 'a', 'login', '--json')).toMatchObject({ dataDir: 'a', json: true })
})

it('takes every option from the environment too, and the command line goes first', () => {
  vi.stubEnv('CAUSEWAY_DATA_DIR', 'there')
  vi.stubEnv('CAUSEWAY_SECRET_STORE', 'file')
  vi.stubEnv('CAUSEWAY_NO_LOGIN', '1')
  expect(read('login')).toMatchObject({ dataDir: 'there', secretStore: 'file', login: false })
  expect(read('login', '--data-dir', 'here')).toMatchObject({ dataDir: 'here' })
})

it.each(['', '0', 'false'])('leaves an option off whose variable is %o', (value) => {
  vi.stubEnv('CAUSEWAY_JSON', value)
  vi.stubEnv('CAUSEWAY_NO_LOGIN', value)
  expect(read('login')).not.toHaveProperty('json')
  expect(read('login')).toMatchObject({ login: true })
})
