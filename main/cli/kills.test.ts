import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  onTestFailed,
  onTestFinished,
  vi,
} from 'vitest'
import { isNightly } from '../../scripts/nightly-tests'
import { TestNamespace } from '../platform/network/namespace.testing'
import { isOpenVpn25 } from '../privilege/openvpn-version.testing'
import { BuiltCommand, idleBrowser, type Person, type Running } from './causeway.testing'
import { KilledComputer, type Process, startMock } from './killed-computer.testing'

const network =
  process.platform === 'linux' ? await TestNamespace.make(`causeway-kills-${String(process.pid)}`) : undefined
if (network === undefined)
  process.stderr.write(
    'Left out, because no network namespace can be made here: what a kill leaves behind.\n',
  )

/** The processes to kill: the app, a process of its tunnel, or everything except the server. */
type Victim = 'app' | 'openvpn' | 'helper' | 'watcher' | 'ip monitor' | 'everything'
type When =
  | 'authorizing'
  | 'preparing'
  | 'connecting'
  | 'connected'
  | 'waiting to reconnect'
  | 'reconnecting'
  | 'disconnecting'
type Rights = 'direct' | 'helper' | 'helper and kill switch'

const table: readonly (readonly [Victim, When, Rights])[] = [
  ['app', 'authorizing', 'direct'],
  ...(['direct', 'helper', 'helper and kill switch'] as const).flatMap((rights) =>
    (['connecting', 'connected', 'waiting to reconnect', 'reconnecting', 'disconnecting'] as const).map(
      (when) => ['app', when, rights] as const,
    ),
  ),
  ...(['openvpn', 'ip monitor'] as const).map((victim) => [victim, 'connected', 'direct'] as const),
  ['openvpn', 'connecting', 'direct'],
  // Which waits for its configuration.
  ['app', 'preparing', 'direct'],
  ['app', 'preparing', 'helper'],
  ...(['helper', 'watcher', 'openvpn', 'everything'] as const).flatMap((victim) =>
    (['connecting', 'connected'] as const).map((when) => [victim, when, 'helper'] as const),
  ),
  ...(['helper', 'openvpn', 'everything'] as const).map(
    (victim) => [victim, 'connected', 'helper and kill switch'] as const,
  ),
]

/** Returns whether one of these processes has a socket; one may end meanwhile. */
async function hasSocket(pids: readonly number[]): Promise<boolean> {
  const files = pids.map(async (pid) => {
    const names = await readdir(`/proc/${pid}/fd`)
    return Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`)))
  })
  const found = await Promise.allSettled(files)
  return found.some(
    (each) => each.status === 'fulfilled' && each.value.some((link) => link.startsWith('socket:')),
  )
}

/** The time limit of a step. On an idle machine, every case takes less than a second; with ten busy programs, up to five. */
const limitMs = 20_000

describe.runIf(network !== undefined)('a kill leaves nothing behind', () => {
  let command: BuiltCommand
  let mock: Awaited<ReturnType<typeof startMock>>
  let computer: KilledComputer
  let plain: Person
  let guarded: Person
  let before: string
  const took: { readonly what: string; readonly ms: number }[] = []

  beforeAll(async () => {
    if (network === undefined) return
    const made = await Promise.all([
      BuiltCommand.make({ ownProcesses: true }),
      startMock(network),
      KilledComputer.make(network),
    ])
    ;[command, mock, computer] = made
    plain = await command.person(mock.instance)
    guarded = await command.person(mock.instance)
    await guarded.run(['settings', 'set', 'killSwitch', 'true'])
    before = await computer.network()
  })
  afterAll(async () => {
    const sorted = took.map(({ ms }) => ms).sort((one, other) => one - other)
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
    const longest = took.find(({ ms }) => ms === sorted.at(-1))
    process.stdout.write(
      `Clean after a kill: median ${middle.toFixed(0)} ms of ${took.length}, longest ${longest?.ms.toFixed(0) ?? '-'} ms (${longest?.what ?? '-'}).\n`,
    )
    await mock.stop()
    await command.remove()
    await computer.remove()
    await network?.remove()
  })

  let frozen = false
  async function freeze(): Promise<void> {
    frozen = true
    await mock.act('freeze')
  }
  afterEach(async () => {
    if (frozen) await mock.act('thaw')
    frozen = false
    await computer.dropKillSwitch()
  })

  /** Returns all processes except the server's. */
  async function others(): Promise<Process[]> {
    return (await computer.processes()).filter(
      ({ pid, parent }) => !mock.pids.includes(pid) && !mock.pids.includes(parent),
    )
  }

  async function pidsOf(victim: Victim, app: number): Promise<number[]> {
    const all = await others()
    const is = (words: string) => all.filter((each) => each.words.includes(words)).map(({ pid }) => pid)
    const helper = all.find(({ parent, words }) => parent === app && words.includes('causeway-helper run'))
    switch (victim) {
      case 'app':
        return [app]
      case 'openvpn':
        return is('openvpn --config stdin')
      case 'ip monitor':
        return is('ip monitor')
      case 'helper':
        return helper === undefined ? [] : [helper.pid]
      case 'watcher':
        return is('causeway-helper watch')
      case 'everything':
        return all.map(({ pid }) => pid)
    }
  }

  function signalAll(pids: readonly number[], signal: NodeJS.Signals = 'SIGKILL'): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // It ended together with an earlier one.
      }
    }
  }

  /** Starts the command and waits for the state. Returns an object, because the command itself would be awaited. */
  async function bringTo(
    when: When,
    person: Person,
    rights: Rights,
    reconnect: boolean,
  ): Promise<{ readonly running: Running }> {
    if (when === 'connecting') await freeze()
    if (when === 'preparing') {
      await person.run(['login', '--json'])
      await mock.holdConfiguration()
    }
    const running = person.start(
      ['connect', 'internet', '--json', ...(reconnect ? [] : ['--no-reconnect'])],
      {
        through: computer.through(rights === 'direct' ? 'direct' : 'helper'),
        env: when === 'authorizing' ? { CAUSEWAY_BROWSER: idleBrowser } : {},
      },
    )
    const lines: string[] = []
    const waiting: (() => void)[] = []
    createInterface({ input: running.stdout }).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
    let from = 0
    const until = (...words: string[]) =>
      Promise.race([
        new Promise<void>((resolve) => {
          const look = () => {
            const index = lines.findIndex(
              (line, at) => at >= from && words.every((word) => line.includes(word)),
            )
            if (index < 0) return
            from = index + 1
            resolve()
          }
          waiting.push(look)
          look()
        }),
        running.then(({ stderr }) => {
          throw new Error(`It ended too early: ${stderr}\n${lines.join('\n')}`)
        }),
      ])
    if (when === 'authorizing') await until('"state":"authorizing"')
    else if (when === 'preparing') {
      const waits = rights === 'direct' ? 'openvpn --config stdin' : 'causeway-helper watch'
      await vi.waitUntil(async () => (await others()).some(({ words }) => words.includes(waits)), {
        timeout: limitMs,
        interval: 5,
      })
    } else if (when === 'connecting') await until('"contacting"')
    else await until('"state":"connected"')
    if (when === 'disconnecting') {
      running.kill('SIGINT')
      await until('"state":"disconnecting"')
    }
    if (when === 'waiting to reconnect' || when === 'reconnecting') {
      if (when === 'reconnecting') await freeze()
      signalAll(await pidsOf('openvpn', running.pid ?? 0))
      await until('"state":"reconnecting"', '"nextAttemptAt"')
    }
    if (when === 'reconnecting') {
      await until('"state":"reconnecting"')
      // Until it has a socket, OpenVPN loses a signal (docs/faults.md).
      await vi.waitUntil(async () => hasSocket(await pidsOf('openvpn', running.pid ?? 0)), { interval: 5 })
    }
    return { running }
  }

  async function untilClean(): Promise<void> {
    await vi.waitUntil(
      async () =>
        (await others()).length === 0 &&
        (await computer.network()) === before &&
        (await computer.nameServers()).length === 0,
      { timeout: limitMs, interval: 5 },
    )
  }

  // All of them at night, in several rounds.
  it.each(table.filter((_, index) => isNightly || index % 6 === 0))(
    '(%s, %s, %s)',
    async (victim, when, rights) => {
      const person = rights === 'helper and kill switch' ? guarded : plain
      const { running } = await bringTo(when, person, rights, victim === 'app' || victim === 'ip monitor')
      let pids: readonly number[] = []
      // The network watcher starts when the tunnel is up.
      await vi.waitUntil(async () => (pids = await pidsOf(victim, running.pid ?? 0)).length > 0, {
        timeout: limitMs,
        interval: 5,
      })

      const start = performance.now()
      // At once: none of them sees the end of another.
      if (victim === 'everything') signalAll(pids, 'SIGSTOP')
      signalAll(pids)
      if (victim === 'ip monitor') running.kill('SIGINT')
      // If everything is killed at once, no process is left to remove the route to the server. The next start removes it and
      // reports that.
      if (victim === 'everything') {
        await vi.waitUntil(async () => (await others()).length === 0, { timeout: limitMs, interval: 5 })
        const lifted = await person.run(['connect', '--release', '--json'], {
          through: computer.through('helper'),
        })
        expect(lifted.status).toBe(0)
        expect(lifted.stderr).toContain('helper/repaired')
        expect(lifted.stderr).toContain('app/ended-unexpectedly')
      }
      await untilClean().catch(async (error: unknown) => {
        throw new Error(
          `${JSON.stringify(await others(), null, 1)}\n${await computer.network()}\nwas:\n${before}\n${String(await computer.nameServers())}`,
          { cause: error },
        )
      })
      if (victim !== 'everything')
        took.push({ what: [victim, when, rights].join(', '), ms: performance.now() - start })
      const { exitCode } = await running
      if (victim === 'ip monitor') expect(exitCode).toBe(0)
      if (rights === 'helper and kill switch' && victim !== 'everything')
        expect(await computer.hasKillSwitch()).toBe(true)
      if (victim === 'app' && rights === 'direct') {
        const { stderr } = await person.run(['settings', 'list', '--json'])
        expect(stderr).toContain('"code":"app/ended-unexpectedly"')
      }
    },
  )

  // Nobody is left who knows the default route that version 2.5 has taken the place of.
  it.skipIf(isOpenVpn25).each(['at the next start', 'by a connection of a Causeway that was running'])(
    'an OpenVPN that has lost the signal of its end is ended %s',
    async (how) => {
      const folder = await mkdtemp(join(tmpdir(), 'causeway-deaf-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const deaf = join(folder, 'openvpn')
      await writeFile(deaf, '#!/bin/sh\nexec setpriv --pdeathsig clear openvpn "$@"\n', { mode: 0o755 })
      const person = await command.person(mock.instance)
      await person.run(['settings', 'set', 'openvpnPath', deaf])
      const { running } = await bringTo('connected', person, 'direct', true)
      const tunnel = await pidsOf('openvpn', running.pid ?? 0)
      onTestFailed(() => {
        signalAll(tunnel)
      })
      expect(tunnel).toHaveLength(1)
      signalAll([running.pid ?? 0])
      await running
      const left = async () => (await others()).map(({ pid }) => pid)
      await vi.waitUntil(async () => String(await left()) === String(tunnel), {
        timeout: limitMs,
        interval: 5,
      })

      if (how === 'at the next start') await person.run(['settings', 'list'])
      else {
        // Its own start was long ago.
        await rm(join(person.dataDir, 'running'), { recursive: true })
        const next = await person.run(['connect', 'internet', '--check'], {
          through: computer.through('direct'),
        })
        expect(next.status).toBe(0)
      }
      await untilClean()
    },
  )
})
