import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import {
  type Computer,
  failure,
  findsClients,
  killClients,
  newComputer,
  profileText,
  runningClients,
  startMock,
} from './connecting.testing'
import type { NetworkEvent, NetworkEvents } from '../platform/network/network-events'
import { closedPort } from '../tunnel/openvpn/loopback-server.testing'

const { mock, control } = await startMock()

const overTcp = { preferTcp: true, remoteStrategy: 2 } as const

type Reconnecting = Extract<ConnectionState, { state: 'reconnecting' }>

/** Resolves with the next matching `reconnecting` state. */
function reconnecting(
  { services }: Computer,
  fits: (state: Reconnecting) => boolean = () => true,
): Promise<Reconnecting> {
  return new Promise((resolve) => {
    const stop = services.connection.onChange((state) => {
      if (state.state !== 'reconnecting' || !fits(state)) return
      stop()
      resolve(state)
    })
  })
}

/** A network whose events the test sends. */
class TestNetwork implements NetworkEvents {
  readonly listeners = new Set<(event: NetworkEvent) => void>()

  watch(listener: (event: NetworkEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  tell(event: NetworkEvent): void {
    for (const listener of this.listeners) listener(event)
  }
}

describe.runIf(findsClients)('a lost tunnel', () => {
  it('reconnects after OpenVPN is killed, without portal requests, and shows the time', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect()
    await control.requests()
    const lost = reconnecting(computer, ({ nextAttemptAt }) => nextAttemptAt !== undefined)
    const back = computer.at('connected')
    const killedAt = Date.now()
    killClients()

    const { reason, attempt, nextAttemptAt } = await lost
    expect({ reason, attempt }).toEqual({ reason: 'stopped-unexpectedly', attempt: 1 })
    expect(nextAttemptAt).toBeGreaterThan(killedAt)
    await back
    expect(runningClients()).toHaveLength(1)
    expect(await control.requests()).toEqual([])
  })

  it('reconnects at once on retryNow()', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect()
    await control.post('/tunnel', { action: 'stop' })
    const later = reconnecting(
      computer,
      ({ attempt, nextAttemptAt }) => attempt > 1 && nextAttemptAt !== undefined,
    )
    killClients()
    await later
    await control.post('/tunnel', { action: 'start' })
    const back = computer.at('connected')
    computer.services.connection.retryNow()
    await back
  })

  it('can be disconnected at any moment, and leaves no process behind', async () => {
    const computer = await newComputer(mock.instance)
    const { connection } = computer.services
    const moments: ((state: Reconnecting) => boolean)[] = [
      ({ nextAttemptAt }) => nextAttemptAt !== undefined,
      ({ nextAttemptAt, attempt }) => nextAttemptAt === undefined && attempt === 1,
    ]
    for (const moment of moments) {
      await computer.connect()
      const there = reconnecting(computer, moment)
      killClients()
      await there
      await connection.disconnect()
      expect(connection.state).toEqual({ state: 'disconnected', target: computer.target() })
      expect(runningClients()).toEqual([])
    }
  })

  it('does not reconnect after the session has ended', async () => {
    const computer = await newComputer(mock.instance)
    // Over TCP, where a rejected certificate shows at once.
    await computer.connect('office', overTcp)
    const failed = computer.at('failed')
    await control.post('/tokens/revoke', { kind: 'all' })
    await control.post('/certificates/revoke', { refusedIn: 'handshake' })
    killClients()
    await failed
    expect(computer.services.connection.state).toMatchObject({
      state: 'failed',
      error: { code: 'session/over' },
    })
    expect(computer.logins()).toBe(1)
    expect(runningClients()).toEqual([])
  })

  it('gets one new certificate if its certificate is rejected', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.post('/certificates/revoke', { refusedIn: 'handshake' })
    await control.requests()
    const back = computer.at('connected')
    killClients()
    await back
    expect(await control.requests()).toEqual(['POST /api/vpn/create_keypair'])
  })

  it('does not reconnect if the setting is off', async () => {
    const computer = await newComputer(mock.instance)
    await computer.services.settings.set('reconnect', 'false')
    await computer.connect('office', overTcp)
    const failed = computer.at('failed')
    await control.post('/tunnel', { action: 'restart' })
    await failed
    expect(computer.services.connection.state).toMatchObject({
      state: 'failed',
      error: { code: 'connection/lost', details: { reason: 'connection-reset' } },
    })
    expect(computer.steps).not.toContain('reconnecting')
    expect(runningClients()).toEqual([])
  })
})

describe('network events', () => {
  async function connected(): Promise<{ computer: Computer; network: TestNetwork }> {
    const network = new TestNetwork()
    const computer = await newComputer(mock.instance, { networkEvents: network })
    await computer.connect()
    return { computer, network }
  }

  it.runIf(findsClients).each([
    ['changed', 'network-changed'],
    ['resumed', 'resumed-from-sleep'],
  ] as const)('reconnect the tunnel at once: %s', async (event, reason) => {
    const { computer, network } = await connected()
    const [before] = runningClients()
    const back = computer.at('connected')
    network.tell(event)
    expect(computer.services.connection.state).toEqual({
      state: 'reconnecting',
      target: computer.target(),
      reason,
      attempt: 1,
      // A tunnel without a device has none.
      routes: 'gone',
    })
    await back
    const clients = runningClients()
    expect(clients).toHaveLength(1)
    expect(clients).not.toContain(before)
  })

  it.runIf(findsClients)('pause attempts until the network is back', async () => {
    const { computer, network } = await connected()
    network.tell('down')
    expect(computer.services.connection.state).toMatchObject({
      state: 'reconnecting',
      reason: 'network-down',
      waitingForNetwork: true,
    })
    const waiting = reconnecting(computer, ({ reason }) => reason === 'stopped-unexpectedly')
    killClients()
    const state = await waiting
    expect(state).toMatchObject({ waitingForNetwork: true })
    expect(state).not.toHaveProperty('nextAttemptAt')
    expect(runningClients()).toEqual([])
    const back = computer.at('connected')
    network.tell('up')
    await back
  })

  it('keep the tunnel waiting if the computer wakes up without a network', async () => {
    const { computer, network } = await connected()
    network.tell('down')
    const { state } = computer.services.connection
    network.tell('resumed')
    expect(computer.services.connection.state).toBe(state)
    const back = computer.at('connected')
    network.tell('up')
    await back
  })

  it('are watched only while there is a tunnel', async () => {
    const { computer, network } = await connected()
    expect(network.listeners.size).toBe(1)
    await computer.services.connection.disconnect()
    expect(network.listeners.size).toBe(0)
    network.tell('changed')
    expect(computer.services.connection.state).toMatchObject({ state: 'disconnected' })
  })
})

// macOS reports closed ports of connected sockets only, and OpenVPN doesn't connect its own.
describe.skipIf(process.platform === 'darwin')('a closed UDP port', () => {
  it('is skipped for the next remote at once', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    const profile = await profileText(computer, 'office')
    const tcpRemote = /^remote .* tcp$/m.exec(profile)?.[0] ?? ''
    const refusing = `remote 127.0.0.1 ${closedPort} udp`
    await control.fault('/api/vpn/profile_config', {
      body: `${refusing}\n${tcpRemote}\n${profile.replace(/^remote .*\n/gm, '')}`,
    })
    const startedAt = performance.now()
    await computer.connect('office')
    expect(computer.services.connection.state).toMatchObject({ remote: { protocol: 'tcp' } })
    // OpenVPN alone would wait for 10 s.
    expect(performance.now() - startedAt).toBeLessThan(9000)
  })

  it('fails at once without another remote', async () => {
    const computer = await newComputer(mock.instance)
    await control.post('/tunnel', { action: 'stop' })
    const startedAt = performance.now()
    expect(await failure(computer.connect('office', { remoteStrategy: 0 }))).toMatchObject({
      code: 'openvpn/unreachable',
    })
    expect(performance.now() - startedAt).toBeLessThan(9000)
    expect(runningClients()).toEqual([])
    await control.post('/tunnel', { action: 'start' })
  })
})
