import { execa } from 'execa'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testAuthority } from '../../mock-server/test-authority'
import { TestNamespace } from '../platform/network/namespace.testing'
import { BuiltCommand, type Person } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'
import { slow } from '../../scripts/slow.testing'

// Everything runs in its own network, which the test disconnects and reconnects.

const namespace =
  process.platform === 'linux' ? await TestNamespace.make(`causeway-cli-${String(process.pid)}`) : undefined
if (namespace === undefined) {
  process.stderr.write(
    'Left out, because no network namespace can be made here: reconnecting in the terminal.\n',
  )
}

interface Line {
  readonly state: string
  readonly reason?: string
  readonly attempt?: number
  readonly nextAttemptAt?: string
  readonly waitingForNetwork?: true
}

describe.runIf(namespace !== undefined)('causeway connect', () => {
  const through = namespace?.through ?? []
  let command: BuiltCommand
  let person: Person
  let mock: Awaited<ReturnType<typeof startMockThrough>>

  beforeAll(async () => {
    command = await BuiltCommand.make({ ownProcesses: true })
    mock = await startMockThrough(through)
    person = await command.person(mock.instance)
  })
  afterAll(async () => {
    await mock.stop()
    await command.remove()
    await namespace?.remove()
  })

  /** Starts `connect`; `until` resolves with the next matching line. */
  function connect(words: readonly string[] = [], who = person) {
    const run = who.start(['connect', 'office', '--prefer-tcp', '--json', ...words], { through })
    const lines: Line[] = []
    const waiting = new Set<() => void>()
    let seen = 0
    createInterface({ input: run.stdout }).on('line', (text) => {
      lines.push(JSON.parse(text) as Line)
      for (const look of waiting) look()
    })
    const until = (fits: (line: Line) => boolean): Promise<Line> =>
      new Promise((resolve) => {
        const look = (): void => {
          while (seen < lines.length) {
            const line = lines[seen]
            seen += 1
            if (line !== undefined && fits(line)) {
              waiting.delete(look)
              resolve(line)
              return
            }
          }
        }
        waiting.add(look)
        look()
      })
    return { run, until, lines }
  }

  async function killOpenVpn(parent: number): Promise<void> {
    const { stdout } = await execa('pgrep', ['-P', String(parent), 'openvpn'])
    for (const pid of stdout.split('\n')) process.kill(Number(pid), 'SIGKILL')
  }

  it('reconnects automatically, and prints reason and time', async () => {
    if (namespace === undefined) return
    const running = () => execa('ip', ['netns', 'pids', namespace.name])
    // The mock server, and the process that cleans up after it.
    const { stdout: before } = await running()
    const { run, until } = connect()
    await until(({ state }) => state === 'connected')
    await killOpenVpn(run.pid ?? 0)
    const lost = { reason: 'stopped-unexpectedly', attempt: 1 }
    expect(await until(({ state }) => state === 'reconnecting')).toMatchObject(lost)
    expect(await until(({ state }) => state === 'reconnecting')).toMatchObject({
      ...lost,
      nextAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
    })
    await until(({ state }) => state === 'connected')

    await namespace.pullOut()
    expect(await until(({ state }) => state === 'reconnecting')).toMatchObject({
      reason: 'network-down',
      waitingForNetwork: true,
    })
    await namespace.plugIn()
    expect(await until(({ state }) => state === 'reconnecting')).toMatchObject({ reason: 'network-changed' })
    await until(({ state }) => state === 'connected')

    run.kill('SIGINT')
    expect((await run).exitCode).toBe(0)
    expect((await running()).stdout).toBe(before)
  })

  slow('ends with --no-reconnect', async () => {
    const { run, until, lines } = connect(['--no-reconnect'])
    await until(({ state }) => state === 'connected')
    await killOpenVpn(run.pid ?? 0)
    expect((await run).exitCode).toBe(7)
    expect(lines.map(({ state }) => state)).not.toContain('reconnecting')
    expect(lines.at(-1)).toMatchObject({ state: 'failed', error: { code: 'openvpn/stopped-unexpectedly' } })
  })

  slow('says which profiles there are when the connected one is withdrawn', async () => {
    const portal = await startMockThrough(through, ['--api', '3'])
    const guest = await command.person(portal.instance)
    const ask = async (method: string, path: string, body: unknown) => {
      const [program = '', ...words] = through
      const json = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]
      const trust = ['--cacert', testAuthority().ca]
      await execa(program, [...words, 'curl', '-fsS', ...trust, '-X', method, ...json, portal.control + path])
    }
    const { run, until, lines } = connect([], guest)
    await until(({ state }) => state === 'connected')
    await ask('PUT', '/profiles', [{ profile_id: 'lab', display_name: 'Lab', default_gateway: false }])
    await ask('POST', '/configurations/withdraw', {})
    expect((await run).exitCode).toBe(5)
    expect(lines.at(-1)).toMatchObject({
      state: 'failed',
      profileId: 'office',
      error: { code: 'vpn-api/profile-unavailable', details: { profiles: ['lab'] } },
    })
    await portal.stop()
  })

  it('reports a captive portal', async () => {
    if (namespace === undefined) return
    const hotel = startHotel()
    await once(createInterface({ input: hotel.stdout }), 'line')
    const guest = await command.person('https://192.168.78.2/')
    expect(await guest.failure(['connect', 'internet'], { through })).toMatchObject({
      status: 4,
      code: 'network/captive-portal',
      message: expect.stringContaining('sign in') as unknown,
    })
    hotel.kill()
    await hotel
    expect(await guest.failure(['connect', 'internet'], { through })).toMatchObject({
      status: 4,
      code: 'http/unreachable',
    })
  })

  /** Starts a server that answers all plain http requests with its own page, like a captive portal. */
  function startHotel() {
    const [program = '', ...words] = through
    const script = `require('node:http').createServer((request, response) => response.end('Welcome')).listen(80, '192.168.78.2', () => console.log('open'))`
    return execa(program, [...words, process.execPath, '-e', script], { reject: false, timeout: 180_000 })
  }
})
