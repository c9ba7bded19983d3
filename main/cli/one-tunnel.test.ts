import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { createInstanceList } from '../portal/instance/instance-list'
import { canConfigureNetwork } from '../privilege/network-rights'
import { BuiltCommand, type Person, type Running, said } from './causeway.testing'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let command: BuiltCommand
let mock: MockServer

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
})
afterAll(async () => {
  await mock.close()
  await command.remove()
})

const check = ['connect', 'internet', '--check']

/** The person's terminal command, which has the tunnel and waits for a browser in which nobody does anything. */
async function waiting(person: Person): Promise<{ readonly running: Running }> {
  const running = person.start([...check, '--json'], { env: { CAUSEWAY_BROWSER: '/bin/true' } })
  onTestFinished(() => {
    running.kill('SIGKILL')
  })
  await said(running, '"authorizing"')
  // In an object, because by itself it would be awaited.
  return { running }
}

const free = { state: 'disconnected' }

describe('a second process of the same person', () => {
  it('is told who has the tunnel, and how far that one is', async () => {
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
      `Waiting for the browser: internet at ${id}, by the terminal command (process ${running.pid}).`,
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

  it('can take the tunnel over, and the first one ends in order', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    expect(await person.run([...check, '--take-over'])).toMatchObject({ status: 0 })
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(0)
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
    expect((await running).exitCode).toBe(0)
  })

  it.each([
    ['logout', ['logout']],
    ['removing the instance', ['instance', 'remove', 'INSTANCE']],
  ])('ends the tunnel of the first with %s, and says so', async (_name, words) => {
    const person = await command.person(mock.instance)
    const [{ id }] = (await person.json('instance', 'list')) as [{ id: string }]
    const { running } = await waiting(person)
    const outcome = await person.run(words.map((word) => (word === 'INSTANCE' ? id : word)))
    expect(outcome).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`Disconnected from ${id}.`) as string,
    })
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').at(-1)).toContain('"disconnected"')
    expect(await person.json('status')).toEqual(free)
  })

  it('leaves the tunnel to another instance up when it logs out', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    const other = await createInstanceList({ dataDirectory: person.dataDir, now: () => new Date() }).add({
      address: 'https://vpn.example.org',
    })
    expect((await person.run(['logout', other.id])).stderr).not.toContain('Disconnected')
    expect(await person.json('status')).toMatchObject({ state: 'authorizing', heldBy: { pid: running.pid } })
  })

  it('is told after a logout where to revoke what the portal still lists', async () => {
    const person = await command.person(mock.instance)
    const origin = new URL('/', mock.instance).href
    expect((await person.run(['logout'])).stdout).toContain(`open your account page at ${origin}`)
    expect(await person.json('logout')).toMatchObject({ loggedIn: false, revokeAt: origin })
  })

  it('is told that nothing was connected where the first had no tunnel yet', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    expect((await person.run(['disconnect'])).stdout).toBe('Cancelled: nothing was connected.')
    expect(JSON.parse((await running).stdout.split('\n').at(-1) ?? '')).toMatchObject({
      state: 'disconnected',
      notYetConnected: true,
    })
  })

  it.runIf(process.platform === 'linux')('is told of a kill switch that blocks everything', async () => {
    const person = await command.person(mock.instance)
    const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    await writeFile(join(person.dataDir, 'traffic-block'), bootId)
    expect(await person.json('status')).toEqual({ ...free, trafficBlocked: true })
    expect((await person.run(['status'])).stdout).toBe(
      'Not connected. The kill switch is blocking all traffic. To allow traffic, run: causeway connect --release',
    )
  })

  it.skipIf(process.platform === 'win32')('has the tunnel at once when the first was killed', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    running.kill('SIGKILL')
    await running
    expect(await person.json('status')).toEqual(free)
    expect(await person.run(check)).toMatchObject({ status: 0 })
  })

  it.skipIf(process.platform === 'win32')('does not wait for ever for one that is stopped', async () => {
    const person = await command.person(mock.instance)
    const { running } = await waiting(person)
    running.kill('SIGSTOP')
    expect(await person.json('status')).toEqual({ state: 'unknown' })
    const failure = await person.failure(check)
    expect(failure).toMatchObject({ status: 1, code: 'connection/held-by-other' })
    expect(failure.message).toContain("isn't responding")
  })

  it('of another person is not in the way', async () => {
    const first = await command.person(mock.instance)
    await waiting(first)
    const second = await command.person(mock.instance)
    expect(await second.run(check)).toMatchObject({ status: 0 })
  })

  it('gets the tunnel for one of two only when both begin in the same moment', async () => {
    const person = await command.person(mock.instance)
    const env = { CAUSEWAY_BROWSER: '/bin/true' }
    const both = [0, 1].map(() => person.start([...check, '--json'], { env }))
    onTestFinished(() => {
      for (const running of both) running.kill('SIGKILL')
    })
    const refused = await Promise.race(both)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('connection/held-by-other')
    await person.json('disconnect')
    expect((await Promise.all(both)).map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
  })
})

describe.skipIf(process.platform === 'win32')('the socket of the holder', () => {
  it('is its owner’s alone', async () => {
    const person = await command.person(mock.instance)
    await waiting(person)
    const { mode } = await stat(join(person.dataDir, 'tunnel.sock'))
    expect(mode & 0o777).toBe(0o600)
  })

  it.each([
    ['no JSON', 'disconnect\n'],
    ['another question', '{"ask": "tokens"}\n'],
    ['a line without end', 'x'.repeat(100_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x0a])],
  ])('sends away who says %s, and keeps the tunnel', async (_what, said) => {
    const person = await command.person(mock.instance)
    await waiting(person)
    const visitor = connect(join(person.dataDir, 'tunnel.sock'))
    visitor.on('error', () => undefined).resume()
    // Not `once`, which a reset of the connection would make fail: that is a way of being sent away.
    const closed = new Promise((resolve) => visitor.once('close', resolve))
    visitor.write(said)
    await closed
    expect(await person.json('status')).toMatchObject({ state: 'authorizing' })
  })

  it('is not believed when something else answers there', async () => {
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

/** No route of another computer is changed: the office profile takes the mock's own network only. */
it.runIf(await canConfigureNetwork())(
  'a tunnel that is up is shown with its addresses, and handed over',
  async () => {
    const person = await command.person(mock.instance)
    const first = person.start(['connect', 'office', '--json'])
    await said(first, '"connected"')
    expect(await person.json('status')).toMatchObject({
      state: 'connected',
      profileId: 'office',
      addresses: { ipv4: expect.stringMatching(/^\d/) as string },
      remote: { protocol: expect.stringMatching(/udp|tcp/) as string },
      traffic: { received: expect.any(Number) as number, sent: expect.any(Number) as number },
      heldBy: { kind: 'terminal', pid: first.pid },
    })
    expect((await person.run(['status'])).stdout).toMatch(/ \d+ bytes received, \d+ sent\.$/)
    const second = person.start(['connect', 'office', '--take-over', '--json'])
    await said(second, '"connected"')
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
