import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createInstanceList } from '../portal/instance/instance-list'
import { canConfigureNetwork } from '../privilege/network-rights'
import {
  canInterrupt,
  idleBrowser,
  type Person,
  type Running,
  printed,
  startCommandAndMock,
} from './causeway.testing'
import { rows, slow } from '../../scripts/slow.testing'
import { isSlowRun } from '../../scripts/nightly-tests'

const { command, mock } = await startCommandAndMock()

const check = ['connect', 'internet', '--check']

/** Starts a terminal command that holds the tunnel and waits for a browser that does nothing. */
async function waiting(person: Person): Promise<{ readonly running: Running }> {
  const running = person.start([...check, '--json'], { env: { CAUSEWAY_BROWSER: idleBrowser } })
  onTestFinished(() => {
    running.kill('SIGKILL')
  })
  await printed(running, '"authorizing"')
  // In an object, because the command itself would be awaited.
  return { running }
}

const free = { state: 'disconnected' }

describe('a second process of the same user', () => {
  it('gets the holder of the tunnel and its state', async () => {
    const person = await command.person(mock.instance)
    expect(await person.json('status')).toEqual(free)
    const { running } = await waiting(person)

    const [{ id }] = (await person.json('instance', 'list')) as [{ id: string }]
    const holder = { kind: 'terminal', pid: running.pid }
    expect(await person.json('status')).toMatchObject({
      state: 'authorizing',
      instance: id,
      profileId: 'internet',
      heldBy: { ...holder, since: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    })
    expect((await person.run(['status'])).stdout).toBe(
      `Continue in your browser: internet at ${id}, by the terminal command (process ${running.pid}). Sign in and approve Causeway there.`,
    )
    const failure = await person.failure(check)
    expect(failure).toMatchObject({
      status: 1,
      code: 'connection/held-by-other',
      details: { ...holder, instance: id, profileId: 'internet', state: 'authorizing' },
    })
    expect(failure.message).toContain(`process ${running.pid}`)
    expect(failure.message).toContain('--take-over')
    expect(await person.json('status')).toMatchObject({ state: 'authorizing' })
  })

  it('can take over the tunnel, and the first one ends cleanly', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    expect(await person.run([...check, '--take-over'])).toMatchObject({ status: 0 })
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(stdout.split('\n').at(-1)).toContain('"disconnected"')
    expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toMatchObject({
      by: { kind: 'terminal', pid: expect.any(Number) as number, takesOver: true },
    })
    expect(await person.json('status')).toEqual(free)
  })

  it('can end the tunnel of the first', async () => {
    const person = await command.person(mock.instance)
    expect(await person.json('disconnect')).toEqual({ ...free, wasConnected: false })
    const { running } = await waiting(person)
    expect(await person.json('disconnect')).toEqual({
      ...free,
      wasConnected: false,
      notYetConnected: true,
    })
    expect((await running).exitCode).toBe(130)
  })

  it.each([
    ['logout', ['logout']],
    ['removing the instance', ['instance', 'remove', 'INSTANCE']],
  ])('ends the tunnel of the first by %s, with a note', async (_name, words) => {
    const person = await command.person(mock.instance)
    const [{ id }] = (await person.json('instance', 'list')) as [{ id: string }]
    const { running } = await waiting(person)
    const outcome = await person.run(words.map((word) => (word === 'INSTANCE' ? id : word)))
    expect(outcome).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`Disconnected from ${id}.`) as string,
    })
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(stdout.split('\n').at(-1)).toContain('"disconnected"')
    expect(await person.json('status')).toEqual(free)
  })

  slow('keeps the tunnel to another instance on logout', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    const other = await createInstanceList({ dataDirectory: person.dataDir, now: () => new Date() }).add({
      address: 'https://vpn.example.org',
    })
    expect((await person.run(['logout', other.id])).stderr).not.toContain('Disconnected')
    expect(await person.json('status')).toMatchObject({ state: 'authorizing', heldBy: { pid: running.pid } })
  })

  slow('gets the address for revoking the approval on logout', async () => {
    const person = await command.person(mock.instance)
    const origin = new URL('/', mock.instance).href
    expect((await person.run(['logout'])).stdout).toContain(`open your account page at ${origin}`)
    expect(await person.json('logout')).toMatchObject({ loggedIn: false, revokeAt: origin })
  })

  slow('reports that nothing was connected if the first had no tunnel yet', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    expect((await person.run(['disconnect'])).stdout).toBe('Cancelled: nothing was connected.')
    expect(JSON.parse((await running).stdout.split('\n').at(-1) ?? '')).toMatchObject({
      state: 'disconnected',
      notYetConnected: true,
    })
  })

  it.runIf(isSlowRun && process.platform !== 'win32')(
    'can connect at once after the first was killed',
    async () => {
      const person = await command.person(mock.instance)
      const { running } = await waiting(person)
      running.kill('SIGKILL')
      await running
      expect(await person.json('status')).toEqual(free)
      expect(await person.run(check)).toMatchObject({ status: 0 })
    },
  )

  it.skipIf(process.platform === 'win32')('does not wait for ever for a stopped process', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    running.kill('SIGSTOP')
    expect(await person.json('status')).toEqual({ state: 'unknown' })
    const failure = await person.failure(check)
    expect(failure).toMatchObject({ status: 1, code: 'connection/held-by-other' })
    expect(failure.message).toContain("isn't responding")
  })

  it.runIf(isSlowRun && process.platform === 'linux')(
    'hears of the tunnel of another data directory',
    async () => {
      const person = await command.person(mock.instance)
      const { running } = await waiting(person)
      const dataDir = join(person.dataDir, 'second')
      await mkdir(dataDir, { mode: 0o700 })
      const second = ['--data-dir', dataDir]
      const others = [
        {
          dataDir: person.dataDir,
          state: 'authorizing',
          profileId: 'internet',
          heldBy: { pid: running.pid },
        },
      ]
      expect(await person.json(...second, 'status')).toMatchObject({ state: 'disconnected', others })
      expect(await person.json(...second, 'disconnect')).toMatchObject({ wasConnected: false, others })
      for (const word of ['status', 'disconnect']) {
        const { stdout } = await person.run([...second, word])
        const [here, there] = stdout.split('\n')
        expect(here).toBe(`Nothing is connected with the data directory ${dataDir}.`)
        expect(there).toMatch(new RegExp(`^Data directory ${person.dataDir}: .*\\(process ${running.pid}\\)`))
        expect(there).toContain(`run: causeway --data-dir ${person.dataDir} disconnect`)
      }
      const ended = await person.run(['--data-dir', person.dataDir, 'disconnect'])
      expect(ended.stdout).toContain('Cancelled')
      expect(await person.json(...second, 'status')).toEqual(free)
    },
  )

  slow('can connect while another user is connected', async () => {
    const first = await command.person(mock.instance)
    await waiting(first)
    const second = await command.person(mock.instance)
    expect(await second.run(check)).toMatchObject({ status: 0 })
  })

  it('fails if both start at the same moment', async () => {
    const person = await command.person(mock.instance)
    const env = { CAUSEWAY_BROWSER: idleBrowser }
    const both = [0, 1].map(() => person.start([...check, '--json'], { env }))
    onTestFinished(() => {
      for (const running of both) running.kill('SIGKILL')
    })
    const refused = await Promise.race(both)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('connection/held-by-other')
    await person.json('disconnect')
    expect((await Promise.all(both)).map(({ exitCode }) => exitCode).sort()).toEqual([1, 130])
  })
})

describe.skipIf(process.platform === 'win32')('the socket of the holder', () => {
  it('is accessible only to its owner', async () => {
    const person = await command.person(mock.instance)
    await waiting(person)
    const { mode } = await stat(join(person.dataDir, 'tunnel.sock'))
    expect(mode & 0o777).toBe(0o600)
  })

  it.each(
    rows(
      [
        ['invalid JSON', 'disconnect\n'],
        ['an unknown request', '{"ask": "tokens"}\n'],
        ['an endless line', 'x'.repeat(100_000)],
        ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
      ],
      1,
    ),
  )('drops a client that sends %s, and keeps the tunnel', async (_what, output) => {
    const person = await command.person(mock.instance)
    await waiting(person)
    const visitor = connect(join(person.dataDir, 'tunnel.sock'))
    visitor.on('error', () => undefined).resume()
    // Not `once` of node:events, which rejects on a connection reset: that is a valid way to drop the client.
    const closed = new Promise((resolve) => visitor.once('close', resolve))
    visitor.write(output)
    await closed
    expect(await person.json('status')).toMatchObject({ state: 'authorizing' })
  })

  it('is not trusted if something else answers', async () => {
    const person = await command.person(mock.instance)
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined).end('{"pid": "all of them", "kind": "window"}\n')
    })
    impostor.listen(join(person.dataDir, 'tunnel.sock'))
    await once(impostor, 'listening')
    onTestFinished(() => {
      impostor.close()
    })
    expect(await person.json('status')).toEqual({ state: 'unknown' })
  })
})

/** The office profile routes only the mock's own network, so this test changes no other routes. */
it.runIf(canInterrupt && (await canConfigureNetwork()))(
  'shows a connected tunnel with its addresses, and hands it over',
  async () => {
    const person = await command.person(mock.instance)
    const first = person.start(['connect', 'office', '--json'])
    await printed(first, '"connected"')
    expect(await person.json('status')).toMatchObject({
      state: 'connected',
      profileId: 'office',
      addresses: { ipv4: expect.stringMatching(/^\d/) as string },
      remote: { protocol: expect.stringMatching(/udp|tcp/) as string },
      traffic: { received: expect.any(Number) as number, sent: expect.any(Number) as number },
      heldBy: { kind: 'terminal', pid: first.pid },
    })
    expect((await person.run(['status'])).stdout).toMatch(/ \d+ bytes received, \d+ sent\.$/m)
    const second = person.start(['connect', 'office', '--take-over', '--json'])
    await printed(second, '"connected"')
    const { exitCode, stdout } = await first
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toMatchObject({
      state: 'disconnected',
      by: { kind: 'terminal', pid: second.pid, takesOver: true },
    })
    expect(await person.json('status')).toMatchObject({ state: 'connected', heldBy: { pid: second.pid } })
    second.kill('SIGTERM')
    expect((await second).exitCode).toBe(0)
  },
)
