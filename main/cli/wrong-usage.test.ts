import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BuiltCommand, failureOf } from './causeway.testing'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000, maxConcurrency: 3 })

let command: BuiltCommand

beforeAll(async () => {
  command = await BuiltCommand.make()
})
afterAll(() => command.remove())

describe.concurrent('wrong usage ends with status 2 and one line', () => {
  it.each([
    ['an unknown command', ['conect'], 'usage/invalid-argument'],
    ['an unknown option', ['connect', '--chek'], 'usage/invalid-argument'],
    ['no command', [], 'usage/invalid-argument'],
    ['a command that needs another', ['instance'], 'usage/invalid-argument'],
    ['an argument too few', ['instance', 'add'], 'usage/invalid-argument'],
    ['an argument too many', ['doctor', 'now'], 'usage/invalid-argument'],
    ['a word where a number is needed', ['connect', '--timeout', 'soon'], 'usage/invalid-argument'],
    ['a strategy that there is not', ['connect', '--remote-strategy', '3'], 'usage/invalid-argument'],
    [
      'a place for secrets that there is not',
      ['--secret-store', 'nonsense', 'doctor'],
      'usage/invalid-argument',
    ],
    ['a text that is no address', ['instance', 'add', 'not an address'], 'discovery/invalid-address'],
    ['an address of another kind', ['instance', 'add', 'javascript:alert(1)'], 'discovery/invalid-address'],
    [
      'plain http to another machine',
      ['instance', 'add', 'http://vpn.example.org'],
      'discovery/insecure-address',
    ],
    ['no instance yet', ['connect', 'internet'], 'usage/instance-needed'],
    ['an instance that was not added', ['login', 'vpn.example.org'], 'usage/unknown-instance'],
    ['a setting that there is not', ['settings', 'get', 'colour'], 'settings/unknown'],
    [
      'a value that a setting does not take',
      ['settings', 'set', 'preferTcp', 'maybe'],
      'settings/invalid-value',
    ],
  ])('%s', async (_what, args, code) => {
    const person = await command.person()
    const { status, stdout, stderr } = await person.run([...args, '--json'])
    expect(failureOf({ status, stdout, stderr })).toMatchObject({ status: 2, code })
    expect(stdout).toBe('')
  })

  it('is said to a person as a sentence, and how to get help', async () => {
    const person = await command.person()
    const { status, stdout, stderr } = await person.run(['conect'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain("unknown command 'conect'\n(Did you mean connect?)")
    expect(stderr).toContain('causeway --help')
    const bare = await person.run([])
    expect(bare).toMatchObject({ status: 2, stdout: '' })
    expect(bare.stderr).toMatch(/^Usage: causeway /)
  })
})
