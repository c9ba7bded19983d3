import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TestClient } from '../../mock-server/test-client'
import { runningClients } from '../app/connecting.testing'
import { canConfigureNetwork } from '../privilege/network-rights'
import { canInterrupt, idleBrowser, printed, startCommandAndMock } from './causeway.testing'
import { rows, slow } from '../../scripts/slow.testing'
import { isSlowRun } from '../../scripts/nightly-tests'

const { command, mock } = await startCommandAndMock()

it.runIf(process.platform === 'linux')('ends with a data directory that can never be made', async () => {
  const person = await command.person()
  const { status, stdout } = await person.run(['status', '--data-dir', '/proc/none/causeway'])
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'Not connected.' })
  expect(
    await person.failure(['settings', 'set', 'theme', 'dark', '--data-dir', '/proc/none']),
  ).toMatchObject({
    status: 1,
    code: 'data/unwritable',
  })
})

it.runIf(process.platform === 'linux' && existsSync('/usr/bin/script'))(
  'ends without a core dump when its terminal is closed',
  async () => {
    const person = await command.person()
    const ended = join(person.dataDir, 'ended')
    const running = person.start(['status', '--watch'], {
      // The shell in the terminal passes the signal on, outlives it, and sees how the command ends.
      through: [
        '/bin/sh',
        '-c',
        `WORDS="$*" exec script -qc 'trap "kill -HUP \\$!" HUP; $WORDS & wait $!; wait $!; echo $? >"$ENDED"' /dev/null`,
        'sh',
      ],
      env: { ENDED: ended, SHELL: '/bin/sh' },
    })
    await printed(running, 'Not connected')
    running.kill('SIGKILL')
    await expect.poll(() => readFile(ended, 'utf8').catch(() => '')).toBe('129\n')
  },
)

async function gone(pid: number): Promise<void> {
  await expect.poll(() => runningClients(pid), { interval: 20 }).toEqual([])
}

function states(stdout: string): unknown[] {
  return stdout.split('\n').map((line) => (JSON.parse(line) as { state: unknown }).state)
}

/** The office profile routes only the mock's own network, so these tests change no other routes. */
describe.runIf(process.platform === 'linux' && (await canConfigureNetwork()))('a tunnel', () => {
  const office = ['connect', 'office', '--json']

  it.each(rows(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 1))(
    'is disconnected cleanly on %s',
    async (name) => {
      const person = await command.person(mock.instance)
      const running = person.start(office)
      const pid = await printed(running, '"connected"')
      const [client = 0] = runningClients(pid)
      expect(client).toBeGreaterThan(0)
      running.kill(name)
      const { exitCode, stdout, stderr } = await running
      expect(exitCode).toBe(0)
      expect(states(stdout).slice(-3)).toEqual(['connected', 'disconnecting', 'disconnected'])
      expect(stderr).not.toContain('"error"')
      expect(isRunning(client)).toBe(false)
    },
  )

  slow('is disconnected cleanly if OpenVPN also gets Ctrl-C, and npm forwards it', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(office)
    const pid = await printed(running, '"connected"')
    running.kill('SIGINT')
    for (const client of runningClients(pid)) process.kill(client, 'SIGINT')
    running.kill('SIGINT')
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(0)
    expect(states(stdout).at(-1)).toBe('disconnected')
  })

  it('ends when the command is killed', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(office)
    const pid = await printed(running, '"connected"')
    const clients = runningClients(pid)
    expect(clients).toHaveLength(1)
    running.kill('SIGKILL')
    await running
    const isGone = () => clients.every((client) => !isRunning(client))
    await expect.poll(isGone, { interval: 20 }).toBe(true)
  })

  slow('fails with --no-reconnect if OpenVPN is killed', async () => {
    const person = await command.person(mock.instance)
    const running = person.start([...office, '--no-reconnect'])
    const pid = await printed(running, '"connected"')
    for (const client of runningClients(pid)) process.kill(client, 'SIGKILL')
    const { exitCode, stdout, stderr } = await running
    expect(exitCode).toBe(7)
    expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toMatchObject({
      state: 'failed',
      error: { code: 'openvpn/stopped-unexpectedly' },
    })
    expect(JSON.parse(stderr.split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'openvpn/stopped-unexpectedly' },
    })
  })

  it('is disconnected when the reader of the output is gone', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(office)
    const pid = await printed(running, '"preparing"')
    running.stdout.destroy()
    const { exitCode, stderr } = await running
    expect(exitCode).toBe(0)
    expect(stderr).not.toContain('EPIPE')
    await gone(pid)
  })

  it('is left at once on a second Ctrl-C if OpenVPN does not end', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(office.slice(0, 2))
    const pid = await printed(running, 'Connected to')
    const clients = runningClients(pid)
    expect(clients).toHaveLength(1)
    for (const client of clients) process.kill(client, 'SIGSTOP')
    running.kill('SIGINT')
    const again = setInterval(() => running.kill('SIGINT'), 200)
    const { exitCode, stdout, stderr } = await running
    clearInterval(again)
    for (const client of clients) process.kill(client, 'SIGKILL')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Stopped immediately')
    expect(stdout).not.toContain('Disconnected')
  })
})

/** Returns true if the process runs. A zombie has no command line. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

describe.runIf(canInterrupt)('Ctrl-C', () => {
  it('ends a login that waits for the browser', async () => {
    const person = await command.person(mock.instance)
    const running = person.start(['connect', 'internet', '--check', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    await printed(running, '"authorizing"')
    running.kill('SIGINT')
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(states(stdout)).toEqual(['discovering', 'authorizing', 'disconnecting', 'disconnected'])
  })

  slow('ends a request before the connection', async () => {
    const tester = new TestClient(mock)
    await tester.control('POST', '/faults', {
      match: { path: '/api/vpn/profile_list' },
      times: 1,
      fault: { delayMs: 20_000 },
    })
    const person = await command.person(mock.instance)
    const running = person.start(['connect', '--json'])
    await expect
      .poll(async () => JSON.stringify(await (await fetch(`${mock.control}/requests`)).json()))
      .toContain('profile_list')
    running.kill('SIGTERM')
    const { exitCode, stdout } = await running
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
  })

  slow('ends an OpenVPN that is contacting its server', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    onTestFinished(() => {
      silent.close()
    })
    await once(silent, 'listening')
    const tester = new TestClient(mock)
    const { accessToken } = await tester.logIn()
    const real = await (await tester.call(accessToken, '/profile_config?profile_id=internet')).text()
    const remote = `remote 127.0.0.1 ${silent.address().port} udp`
    const body = `${real.replaceAll(/\r\nremote .*/g, '')}\r\n${remote}`
    await tester.control('POST', '/faults', {
      match: { path: '/api/vpn/profile_config' },
      times: 1,
      fault: { body },
    })

    const person = await command.person(mock.instance)
    const running = person.start(['connect', 'internet', '--check', '--json'])
    const pid = await printed(running, '"contacting"')
    const clients = runningClients(pid)
    expect(clients).toHaveLength(1)
    running.kill('SIGINT')
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(states(stdout).slice(-2)).toEqual(['disconnecting', 'disconnected'])
    expect(clients.filter(isRunning)).toEqual([])
  })
})

it.runIf(isSlowRun && process.platform !== 'win32')(
  'succeeds silently if the reader of the output is gone',
  async () => {
    const person = await command.person(mock.instance)
    const through = ['sh', '-c', '{ "$@"; echo "status $?" >&2; } | true', 'sh']
    const { stderr } = await person.run(['profile', 'list'], { through })
    expect(stderr).toContain('status 0')
    expect(stderr).not.toContain('EPIPE')
  },
)

const endless = [
  ['status --watch', ['status', '--watch']],
  ['log --follow', ['log', '--follow']],
] as const

it.runIf(process.platform === 'linux').each(rows(endless, 1))(
  'ends with the reader of the output, although nothing more is to be written: %s',
  async (_what, words) => {
    const person = await command.person(mock.instance)
    // So that the log has a line.
    await person.run(['profile', 'list'])
    // A command that goes on would keep standard error open, and the test waiting.
    const through = ['sh', '-c', '{ "$@"; echo "status $?" >&2; } | head -n 1', 'sh']
    const { stdout, stderr } = await person.run(words, { through })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain('status 0')
  },
)

const outputs = [
  ['a result', ['settings', 'list']],
  ['the help', ['--help']],
  ['the version', ['--version']],
] as const

it.runIf(process.platform === 'linux').each(rows(outputs, 1))(
  'fails if the output cannot be written: %s',
  async (_what, words) => {
    const person = await command.person(mock.instance)
    const through = ['sh', '-c', '"$@" > /dev/full', 'sh']
    const { status, stderr } = await person.run(words, { through })
    expect(status).toBe(1)
    expect(stderr).toContain("couldn't write the output (ENOSPC)")
  },
)

describe.skipIf(process.platform === 'win32')('in a folder that was deleted', () => {
  const through = ['sh', '-c', 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"', 'sh']

  it('connects', async () => {
    const person = await command.person(mock.instance)
    const { status, stderr } = await person.run(['connect', 'internet', '--check'], { through })
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('unexpected')])
  })

  it.each([
    [['status', '--data-dir', 'here']],
    [['attachment', 'download', '1']],
    [['attachment', 'upload', 'a.pdf', '--title', 'A']],
  ])('refuses what needs the folder: %s', async (words) => {
    const person = await command.person(mock.instance)
    const { status, stderr } = await person.run(words, { through })
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("the current folder doesn't exist any more"),
    ])
  })
})
