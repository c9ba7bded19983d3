/**
 * For tests: a computer with the real helper and the mock's WireGuard server. Run it as root in a network namespace, with the path
 * of the installed helper; it prints what it saw as JSON.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { startTestMock } from '../../mock-server/test-authority'
import type { ConnectionState } from '../../contract/connection'
import { Connection } from '../connection/connection'
import { runHelper } from '../privilege/helper-client'
import { createTunnelBackend } from '../tunnel/open-tunnel'
import { wireGuard } from '../tunnel/wireguard/wireguard'
import { MockControl, approve } from './connecting.testing'
import { createServices } from './services'

/** What the computer saw in one situation. */
interface Observation {
  /** The states, such as `connecting/contacting`, without repetitions. */
  readonly states: readonly string[]
  readonly requests: readonly string[]
  /** What the helper output, without counters. */
  readonly output: readonly string[]
  /** Whether addresses behind the tunnel answer, in both families; nothing without a tunnel. */
  readonly answers: readonly boolean[]
  /** What is there of devices, rules and tables of the firewall beside what was there before. */
  readonly leftovers: string
  readonly notes: readonly string[]
}
export type Observations = Readonly<Record<string, Observation>>

/** A clock of this process that runs faster while a tunnel is to be found dead. */
class FastClock {
  #speed = 1
  #base = { real: Date.now(), shown: Date.now() }

  setSpeed(speed: number): void {
    this.#base = { shown: this.now(), real: Date.now() }
    this.#speed = speed
  }

  now(): number {
    return this.#base.shown + (Date.now() - this.#base.real) * this.#speed
  }

  after(milliseconds: number, work: () => void): () => void {
    const timer = setTimeout(work, milliseconds / this.#speed)
    return () => {
      clearTimeout(timer)
    }
  }
}

async function look(helper: string): Promise<Observations> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-wireguard-'))
  const mock = await startTestMock({
    autoApprove: true,
    api: '3',
    tunnel: 'wireguard',
    pushDefaultRoute: true,
  })
  const control = new MockControl(mock.control)
  const notes: string[] = []
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: approve,
    onNotice: (notice) => notes.push(notice.code),
  })
  const [states, output]: [string[], string[]] = [[], []]
  const clock = new FastClock()
  /** The number of tunnels that start before the clock is that of everyone again. */
  let deadTunnels = 0
  const isDead = (tunnels: number) => {
    deadTunnels = tunnels
    clock.setSpeed(10)
  }
  const { wireguard } = mock
  if (wireguard.mode !== 'full') throw new Error(wireguard.reason)
  try {
    const instance = await services.addInstance({ address: mock.instance })
    const ca = await readFile(mock.caFile ?? '')
    const connection = new Connection({
      choiceFor: () => Promise.resolve(undefined),
      blockedNetworks: {
        current: () => Promise.resolve(undefined),
        has: () => Promise.resolve(false),
        add: () => Promise.resolve(),
      },
      killSwitch: () => Promise.resolve(false),
      onMovedToTcp: () => notes.push('moved to TCP'),
      claim: () => Promise.resolve({ unblock: () => Promise.resolve(), release: () => Promise.resolve() }),
      accessTo: () =>
        Promise.resolve({
          discover: () => Promise.resolve(),
          session: services.session(instance),
          portal: (signal) => services.portal(instance, signal),
          isBehindCaptivePortal: () => Promise.resolve(false),
          wrongClock: () => Promise.resolve(undefined),
        }),
      getBackend: () =>
        Promise.resolve(
          createTunnelBackend({
            privilege: {
              findHelper: () => Promise.resolve(undefined),
              wantsKillSwitch: () => Promise.resolve(false),
            },
            openVpnPath: () => Promise.resolve(undefined),
            findPrivileged: () =>
              Promise.resolve((request) => runHelper({ helper, elevation: 'root' }, request)),
            onNotice: (notice) => notes.push(notice.code),
            protocols: {
              openvpn: () => Promise.reject(new Error('not used')),
              wireguard: () =>
                Promise.resolve(
                  wireGuard({ clock, secureContext: () => Promise.resolve(createSecureContext({ ca })) }),
                ),
            },
          }),
        ),
      preferences: () => Promise.resolve({ remoteStrategy: 0, preferTcp: false, reconnect: true }),
      onTunnel: () => undefined,
      network: { watch: () => () => undefined },
      delay: (milliseconds, signal) => wait(milliseconds / 10, undefined, { signal }),
      random: () => 0.5,
      onDefect: (error) => {
        throw error
      },
      now: () => new Date(),
    })
    let current: ConnectionState = connection.state
    const waiting = new Set<() => void>()
    connection.onChange((state) => {
      current = state
      const name = state.state === 'connecting' ? `connecting/${state.phase}` : state.state
      const full = state.state === 'reconnecting' ? `${name}/${state.reason}` : name
      if (states.at(-1) !== full) states.push(full)
      for (const each of waiting) each()
    })
    connection.onLog((line) => {
      output.push(line.replace(/^started .*/, 'started DEVICE').replace(/^remote .*/, 'remote SERVER'))
      if (line.startsWith('started ') && (deadTunnels -= 1) === 0) clock.setSpeed(1)
    })
    /** Resolves in the state, once it was in another one. */
    const reached = (state: ConnectionState['state'], first: readonly ConnectionState['state'][] = []) =>
      new Promise<void>((resolve) => {
        let isDue = first.length === 0
        const check = () => {
          isDue ||= first.includes(current.state)
          if (!isDue || current.state !== state) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
      })
    const answers = async (address: string) => {
      const { failed } = await execa('ping', ['-n', '-c', '1', '-W', '5', address], { reject: false })
      return !failed
    }
    const before = await network()
    const seen: Record<string, Observation> = {}
    const note = async (name: string) => {
      const there = await network()
      seen[name] = {
        states: states.splice(0),
        requests: (await control.requests()).filter((request) => !request.startsWith('ICMP')),
        // The ones left out depend on the time.
        output: output.splice(0).filter((line) => !/^(?:handshake|next|peer)/.test(line)),
        answers: current.state === 'connected' ? await Promise.all(wireguard.pingAddresses.map(answers)) : [],
        leftovers: there === before ? 'nothing' : 'a tunnel',
        notes: notes.splice(0),
      }
    }
    const tested = async () => {
      while (!output.some((line) => /^test (full|none)/.test(line))) await wait(20)
    }
    const noteProtocol = () => {
      if (current.state !== 'connected') return
      const handshake = current.handshakeAt === undefined ? 'no handshake' : 'handshake'
      notes.push(`${String(current.protocol)} over ${current.remote.protocol}, ${handshake}`)
    }
    const target = { instanceId: instance.id, profileId: 'everywhere' }
    await connection.connect(target)
    noteProtocol()
    await tested()
    await note('connected')

    const again = reached('connected', ['reconnecting'])
    connection.reconnect()
    await again
    await tested()
    await note('reconnected')

    // Somebody uses the tunnel, and the system begins to refuse its packets.
    const user = execa('ping', ['-n', '-i', '0.2', wireguard.pingAddresses[0] ?? ''], { reject: false })
    const [cutOff, whole] = [reached('reconnecting'), reached('connected', ['reconnecting'])]
    const refuse =
      'table inet others { chain out { type filter hook output priority 0; meta mark != 0 drop; }; }'
    await execa('nft', [refuse])
    await cutOff
    await execa('nft', ['delete table inet others'])
    await whole
    await tested()
    await note('refused')

    // Its server no longer knows it: it is started again, and then there is a new configuration.
    const renewed = reached('connected', ['reconnecting'])
    await control.post('/scenarios/wireguard-peers-removed')
    isDead(2)
    await renewed
    await tested()
    await note('renewed')
    user.kill()
    await user

    const mended = reached('connected', ['reconnecting'])
    await execa('ip', ['route', 'flush', 'table', '12288'])
    await mended
    await tested()
    await note('mended')
    await connection.disconnect()
    await note('disconnected')

    await control.post('/scenarios/wireguard-large-packets-lost')
    await connection.connect(target)
    await tested()
    await note('with small packets')
    await connection.disconnect()
    await control.post('/scenarios/all-well')
    await note('disconnected again')

    await control.post('/scenarios/wireguard-udp-blocked')
    isDead(2)
    await connection.connect(target)
    noteProtocol()
    await tested()
    await note('over TCP')
    await connection.disconnect()
    await note('disconnected from TCP')
    return seen
  } finally {
    await services.dispose()
    await mock.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function network(): Promise<string> {
  const texts = await Promise.all(
    ['ip -o link', 'ip rule', 'ip -6 rule', 'ip route show table all', 'nft list tables'].map((words) =>
      execa(words.slice(0, words.indexOf(' ')), words.split(' ').slice(1)),
    ),
  )
  const lines = texts.flatMap(({ stdout }) => stdout.split('\n'))
  // The mock's device gets one of these at any time.
  return lines.filter((line) => !line.includes(' fe80:')).join('\n')
}

process.stdout.write(JSON.stringify(await look(process.argv[2] ?? '')))
