import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { canConfigureNetwork } from '../privilege/network-rights'
import { failureOf, type RunOptions, startCommandAndMock } from './causeway.testing'

vi.setConfig({ maxConcurrency: 3 })

const { command, mock } = await startCommandAndMock()

describe('invalid answers of a service', () => {
  async function fault(path: string, fault: object): Promise<void> {
    for (const [call, body] of [
      ['reset', {}],
      ['faults', { match: { path }, fault }],
    ] as const) {
      await fetch(`${mock.control}/${call}`, { method: 'POST', body: JSON.stringify(body) })
    }
  }

  const connect = ['connect', 'internet', '--check']
  const configuration = (change: string) =>
    `client\ndev tun\nremote 127.0.0.1 1194 udp\n<ca>\n-----BEGIN CERTIFICATE-----\nMIIB\n${change}`

  it.each<[string, string, object, readonly string[], number, string]>([
    [
      'tokens of the wrong type',
      '/oauth/token',
      { body: { access_token: 1 } },
      ['login'],
      6,
      'oauth/invalid-token-response',
    ],
    ['401 to every call', '/api/vpn/*', { status: 401 }, ['profile', 'list'], 3, 'oauth/login-required'],
    [
      'ok: false',
      '/api/vpn/profile_list',
      { body: { profile_list: { ok: false, error: 'closed today' } } },
      ['profile', 'list'],
      5,
      'vpn-api/refused',
    ],
    [
      'an internal error',
      '/api/vpn/profile_list',
      { status: 500 },
      ['profile', 'list'],
      5,
      'vpn-api/server-error',
    ],
    [
      'half an answer',
      '/api/vpn/profile_list',
      { malformed: true },
      ['profile', 'list'],
      6,
      'vpn-api/invalid-response',
    ],
    [
      'a broken connection',
      '/api/vpn/system_messages',
      { truncate: true },
      ['message', 'list'],
      4,
      'http/unreachable',
    ],
    [
      'a configuration that runs a program',
      '/api/vpn/profile_config',
      { body: configuration('</ca>\nup /bin/sh\n') },
      connect,
      6,
      'profile-configuration/forbidden-directive',
    ],
    [
      'a configuration that loads a plugin',
      '/api/vpn/profile_config',
      { body: configuration('</ca>\nplugin x.so\n') },
      connect,
      6,
      'profile-configuration/forbidden-directive',
    ],
    [
      'a configuration truncated in <ca>',
      '/api/vpn/profile_config',
      { body: configuration('') },
      ['profile', 'config', 'internet'],
      6,
      'profile-configuration/malformed',
    ],
  ])('fail with a status and code: %s', async (_what, path, wrong, args, status, code) => {
    await fault(path, wrong)
    const person = await command.person(mock.instance)
    const outcome = await person.run(['--lang', 'nl', ...args, '--json'])
    const { status: exitStatus, ...error } = failureOf(outcome)
    expect([exitStatus, error.code]).toEqual([status, code])
    const lines = outcome.stdout.split('\n').filter((line) => line !== '')
    if (args === connect) {
      // Both say it in the person's language.
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ state: 'failed' })
      expect((JSON.parse(lines.at(-1) ?? '') as { error: unknown }).error).toEqual(error)
    } else {
      expect(lines).toEqual([])
    }
  })

  const profile = (profile_id: unknown, more = {}) => ({
    profile_id,
    display_name: 'Name',
    ...more,
  })
  const message = (message: string, date_time: unknown) => ({ message, date_time, type: 'notification' })
  it.each<[string, string, string, readonly unknown[], string]>([
    [
      'profile list',
      'profile_list',
      'profileId',
      [profile('a', { default_gateway: null }), profile(null), profile('b', { display_name: null })],
      '["a","b"]',
    ],
    [
      'message list',
      'system_messages',
      'message',
      [
        message('b', 'Fri, 20 Nov 2026 18:29:34 +0000'),
        message('bad', 'soon'),
        message('a', '2026-11-19T08:00:00Z'),
      ],
      '["b","a"]',
    ],
  ])('don’t take the good records of %s', async (command_, call, name, data, shown) => {
    await fault(`/api/vpn/${call}`, { body: { [call]: { ok: true, data } } })
    const person = await command.person(mock.instance)
    const { status, stdout, stderr } = await person.run([...command_.split(' '), '--json'])
    expect(status).toBe(0)
    const records = JSON.parse(stdout) as Record<string, unknown>[]
    expect(JSON.stringify(records.map((record) => record[name]))).toBe(shown)
    const output = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(output).toContainEqual({
      notice: {
        code: 'vpn-api/invalid-response',
        details: { unreadable: 1 },
        message: expect.stringContaining("Items that couldn't be read and aren't shown: 1.") as string,
      },
    })
    expect((await person.run(command_.split(' '))).stderr).toContain(
      "Items that couldn't be read and aren't shown: 1.",
    )
  })

  it('fail with a status and code: an unknown or missing profile', async () => {
    await fetch(`${mock.control}/reset`, { method: 'POST' })
    const person = await command.person(mock.instance)
    expect(await person.failure(['connect', 'nowhere', '--check'])).toMatchObject({
      status: 5,
      code: 'vpn-api/profile-unavailable',
    })
    for (const words of [
      ['connect', '--check'],
      ['profile', 'config'],
    ]) {
      expect(await person.failure(words)).toMatchObject({
        status: 2,
        code: 'usage/profile-needed',
        details: { profiles: ['internet', 'office'] },
      })
    }
  })
})

const hasAllRights = process.getuid?.() === 0 && (await canConfigureNetwork())

/** Drops a capability of root. Other users don't have it anyway. */
function withoutRight(name: string): RunOptions {
  return hasAllRights ? { through: ['setpriv', `--bounding-set=-${name}`, `--inh-caps=-${name}`] } : {}
}

describe.concurrent('missing requirements', () => {
  it('are reported: OpenVPN', async () => {
    const person = await command.person(mock.instance)
    expect(
      await person.failure(['connect', 'internet', '--check', '--openvpn', '/nonexistent']),
    ).toMatchObject({
      status: 7,
      code: 'openvpn/not-found',
    })
  })

  it.runIf(process.platform === 'linux')('are reported: permission to create a device', async () => {
    const person = await command.person(mock.instance)
    const failure = await person.failure(['connect', 'internet'], withoutRight('net_admin'))
    // The code depends on whether the helper is installed or can be on this machine.
    expect(failure).toMatchObject({
      status: 7,
      code: expect.stringMatching(/^(openvpn\/not-permitted|helper\/[a-z-]+)$/) as string,
    })
  })

  it.runIf(process.platform === 'linux')('are reported: a key store', async () => {
    const person = await command.person(mock.instance)
    expect(await person.failure(['login', '--secret-store', 'os'])).toMatchObject({
      status: 1,
      code: 'secret-store/unavailable',
    })
  })

  it('are reported: a readable data directory', async () => {
    const person = await command.person(mock.instance)
    await mkdir(join(person.dataDir, 'secrets.json'))
    expect(await person.failure(['connect', 'internet', '--check'])).toMatchObject({
      status: 1,
      code: 'data/unreadable',
      details: { reason: 'EISDIR' },
    })
  })

  it.runIf(process.platform === 'linux')('are reported: a writable data directory', async () => {
    const person = await command.person(mock.instance)
    await chmod(person.dataDir, 0o500)
    const failure = await person.failure(['connect', 'internet', '--check'], withoutRight('dac_override'))
    await chmod(person.dataDir, 0o700)
    expect(failure).toMatchObject({ status: 1, code: 'data/unwritable', details: { reason: 'EACCES' } })
  })
})
