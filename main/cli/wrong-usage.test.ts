import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, failureOf } from './causeway.testing'

let command: BuiltCommand

beforeAll(async () => {
  command = await BuiltCommand.make()
})
afterAll(() => command.remove())

describe('wrong usage ends with status 2 and one line', () => {
  it.each([
    ['an unknown command', ['conect'], 'usage/invalid-argument'],
    ['an unknown option', ['connect', '--chek'], 'usage/invalid-argument'],
    ['no command', [], 'usage/invalid-argument'],
    ['a missing subcommand', ['instance'], 'usage/invalid-argument'],
    ['a missing argument', ['instance', 'add'], 'usage/invalid-argument'],
    ['an extra argument', ['doctor', 'vpn.example.org', 'now'], 'usage/invalid-argument'],
    ['a word instead of a number', ['connect', '--timeout', 'soon'], 'usage/invalid-argument'],
    ['a time to wait without --detach', ['connect', '--wait', '5'], 'usage/invalid-argument'],
    ['an unknown strategy', ['connect', '--remote-strategy', '3'], 'usage/invalid-argument'],
    ['an unknown secret store', ['--secret-store', 'nonsense', 'doctor'], 'usage/invalid-argument'],
    ['an invalid language tag', ['--lang', 'no language', 'status'], 'usage/invalid-argument'],
    ['an invalid address', ['instance', 'add', 'not an address'], 'discovery/invalid-address'],
    [
      'an address with another scheme',
      ['instance', 'add', 'javascript:alert(1)'],
      'discovery/invalid-address',
    ],
    [
      'plain http to another machine',
      ['instance', 'add', 'http://vpn.example.org'],
      'discovery/insecure-address',
    ],
    ['no instance yet', ['connect', 'internet'], 'usage/instance-needed'],
    ['an instance that was not added', ['login', 'vpn.example.org'], 'usage/unknown-instance'],
    ['an unknown setting', ['settings', 'get', 'colour'], 'settings/unknown'],
    ['an invalid value of a setting', ['settings', 'set', 'preferTcp', 'maybe'], 'settings/invalid-value'],
  ])('%s', async (_what, args, code) => {
    const person = await command.person()
    const { status, stdout, stderr } = await person.run([...args, '--json'])
    expect(failureOf({ status, stdout, stderr })).toMatchObject({ status: 2, code })
    expect(stdout).toBe('')
  })

  it.each([
    ['killswitch', 'killSwitch'],
    ['prefer-tcp', 'preferTcp'],
    ['langauge', 'language'],
  ])('suggests the setting that is near to %s', async (typed, near) => {
    const person = await command.person()
    const failure = await person.failure(['settings', 'set', typed, 'true'])
    expect(failure).toMatchObject({ status: 2, code: 'settings/unknown', details: { near } })
    expect(failure.message).toContain(`Did you mean ${near}? The settings are language, `)
  })

  it.each([
    ['that Commander finds', ['connect', '--chek']],
    ['that a command finds', ['login', 'vpn.example.org']],
  ])('is the exit status of a process, with wrong usage %s', async (_what, args) => {
    const running = (await command.person()).start(args)
    const { exitCode, stdout, stderr } = await running
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^causeway: /m)
  })

  it('prints a sentence and a hint to get help without --json', async () => {
    const person = await command.person()
    const { status, stdout, stderr } = await person.run(['conect'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain("unknown command 'conect'\n(Did you mean connect?)")
    expect(stderr).toContain('causeway --help')
    expect((await person.run(['connect', '--chek'])).stderr).toBe(
      "causeway: unknown option '--chek'\n(Did you mean --check?)\n(to list its options, run: causeway connect --help)",
    )
    expect((await person.run(['instance', 'ad'])).stderr).toContain('run: causeway instance --help)')
    const bare = await person.run([])
    expect(bare).toMatchObject({ status: 2, stdout: '' })
    expect(bare.stderr).toMatch(/^Usage: causeway /)
  })
})
