import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionState } from '../../contract/connection'
import { report } from '../errors'
import { StateMachine, diagram, table, transitionOf } from './state-machine'
import type { Command, ConnectionEvent, StateName } from './transitions'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
const details = { addresses: { ipv4: '10.0.0.2' }, remote, allTraffic: true, routes: ['0.0.0.0/0'] }
const lost = { event: 'restarting', reason: 'ping-restart', handshakeFailed: false, routes: 'kept' } as const

/** At least one example of every event. */
const events: {
  readonly [Name in ConnectionEvent['event']]: readonly (ConnectionEvent & { event: Name })[]
} = {
  connect: [{ event: 'connect', target }],
  disconnect: [
    { event: 'disconnect' },
    { event: 'disconnect', by: { kind: 'terminal', pid: 7, takesOver: true } },
  ],
  reconnect: [{ event: 'reconnect', routes: 'kept' }],
  retry: [{ event: 'retry', routes: 'gone' }],
  discover: [{ event: 'discover' }],
  login: [{ event: 'login' }],
  prepare: [{ event: 'prepare' }],
  phase: [
    { event: 'phase', phase: 'starting' },
    { event: 'phase', phase: 'verifying', remote: { ...remote, host: 'vpn.example.org' } },
  ],
  connected: [{ event: 'connected', details, protocol: 'openvpn', since: 1_000_000 }],
  restarting: [lost],
  routes: [{ event: 'routes', details: { ...details, allTraffic: false }, routes: 'gone' }],
  passing: [
    { event: 'passing', passing: false },
    { event: 'passing', passing: true },
  ],
  handshake: [{ event: 'handshake', at: 2_000_000 }],
  ended: [{ event: 'ended' }, { event: 'ended', reason: 'authentication-failed' }],
  apps: [{ event: 'apps', apps: { mode: 'except', outside: ['firefox'], inside: [], running: [] } }],
  network: [
    { event: 'network', change: 'down', routes: 'kept' },
    { event: 'network', change: 'resumed', routes: 'gone' },
  ],
  wait: [
    { event: 'wait', reason: 'unreachable', attempt: 2, routes: 'gone', nextAttemptAt: 3_000_000 },
    { event: 'wait', reason: 'unreachable', attempt: 1, routes: 'gone', notYetConnected: true },
  ],
  attempt: [{ event: 'attempt' }],
  stopped: [{ event: 'stopped' }],
  begin: [{ event: 'begin', target }],
  failed: [{ event: 'failed', error: report('vpn-api/not-allowed') }],
}
const names = Object.keys(table) as StateName[]
const eventNames = Object.keys(events) as ConnectionEvent['event'][]
const commands: readonly Command['event'][] = ['connect', 'disconnect', 'reconnect', 'retry']

const nextOf = (state: StateName): StateName[] =>
  eventNames.flatMap((event) => {
    const transition = transitionOf(state, event)
    return transition !== undefined && 'to' in transition ? transition.to : []
  })

/** The states that can follow a state, in any number of steps. */
function reachableFrom(state: StateName): Set<StateName> {
  const found = new Set<StateName>()
  const waiting = [state]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
    for (const next of nextOf(one))
      if (!found.has(next)) {
        found.add(next)
        waiting.push(next)
      }
  return found
}

describe('the table of a connection', () => {
  it.each(names)('has a way out of %s, and one to every other state but idle', (name) => {
    expect(nextOf(name).some((next) => next !== name)).toBe(true)
    expect([...reachableFrom(name)].sort()).toEqual(names.filter((each) => each !== 'idle').sort())
  })

  it.each(names)('says for each command what it does in %s, or why it does nothing', (name) => {
    for (const command of commands) {
      const transition = transitionOf(name, command)
      expect(transition, command).toBeDefined()
      if (transition !== undefined && 'stays' in transition)
        expect(transition.stays, command).toMatch(/^[a-z].*[a-z]$/)
    }
  })

  it('is what the diagram in the documentation shows', async () => {
    const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
    expect(/^```mermaid\n([^]*?)\n```$/m.exec(text)?.[1]).toBe(diagram())
  })
})

describe('the state of a connection', () => {
  it('changes as the table says, whatever happens, and reports what cannot happen', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(events).flat()), { maxLength: 60 }), (walk) => {
        const defects: unknown[] = []
        const shown: unknown[] = []
        const machine = new StateMachine((defect) => defects.push(defect))
        machine.onChange((state) => shown.push(state))
        for (const event of walk) {
          const before = machine.state
          const [known, changes] = [defects.length, shown.length]
          const after = machine.send(event)
          const transition = transitionOf(before.state, event.event)
          expect(defects.length - known).toBe(transition === undefined ? 1 : 0)
          expect(shown.slice(changes)).toEqual(after === before ? [] : [after])
          if (after !== before)
            expect(transition !== undefined && 'to' in transition && transition.to).toContain(after.state)
          expect(connectionState.safeParse(after).error).toBeUndefined()
          if (after.state !== 'idle') expect(after.target).toEqual(target)
        }
      }),
    )
  })

  /** Returns the states after each event, from a connection that is being prepared. */
  function after(...walk: readonly ConnectionEvent[]) {
    const machine = new StateMachine((defect) => {
      throw defect
    })
    for (const event of [...events.connect, ...events.prepare]) machine.send(event)
    return walk.map((event) => machine.send(event))
  }
  const [starting, verifying] = events.phase
  const [connected] = events.connected
  if (starting === undefined || verifying === undefined || connected === undefined) throw new Error()

  it('shows the phase, the remote and then the details of the tunnel', () => {
    expect(after(starting, verifying, connected)).toEqual([
      { state: 'connecting', target, phase: 'starting' },
      { state: 'connecting', target, phase: 'tls', remote: { ...remote, host: 'vpn.example.org' } },
      { state: 'connected', target, ...details, protocol: 'openvpn', since: 1_000_000 },
    ])
  })

  it('stays connecting when the tunnel goes on to the next remote', () => {
    const states = after(starting, lost)
    expect(states[1]).toBe(states[0])
  })

  it('stays reconnecting through all phases until connected again', () => {
    const states = after(starting, connected, lost, starting, verifying, lost, connected)
    expect(states[2]).toEqual({
      state: 'reconnecting',
      target,
      reason: 'ping-restart',
      attempt: 1,
      routes: 'kept',
      allTraffic: true,
    })
    expect(states.slice(3).map((state) => ('attempt' in state ? state.attempt : state.state))).toEqual([
      1,
      1,
      2,
      'connected',
    ])
  })

  it('shows while reconnecting whether the routes that are kept carry all traffic', () => {
    const some: ConnectionEvent = {
      event: 'routes',
      details: { ...details, allTraffic: false },
      routes: 'kept',
    }
    const states = after(starting, connected, lost, some, { ...some, routes: 'gone' })
    expect(states.slice(2)).toMatchObject([
      { routes: 'kept', allTraffic: true },
      { routes: 'kept', allTraffic: false },
      { routes: 'gone', allTraffic: undefined },
    ])
  })

  it('tells an end before the first tunnel from one after it', () => {
    const [disconnect] = events.disconnect
    if (disconnect === undefined) throw new Error()
    expect(after(starting, disconnect)[1]).toEqual({ state: 'disconnecting', target, notYetConnected: true })
    expect(after(starting, connected, disconnect)[2]).toEqual({ state: 'disconnecting', target })
  })

  it('stays connected when the tunnel agrees on new keys', () => {
    const states = after(starting, connected, { event: 'phase', phase: 'authenticating' })
    expect(states[2]).toBe(states[1])
  })

  it('shows a remote that is known only later, and keeps it through the same phase', () => {
    const withRemote = { ...starting, remote: { ...remote, host: 'vpn.example.org' } } as const
    const states = after(starting, starting, withRemote, starting)
    expect(states[1]).toBe(states[0])
    expect(states[2]).toMatchObject({
      state: 'connecting',
      phase: 'starting',
      remote: { host: 'vpn.example.org' },
    })
    expect(states[3]).toBe(states[2])
    expect(Object.keys(states[0] ?? {}).toSorted(), 'and nothing of a switch').toEqual([
      'phase',
      'remote',
      'state',
      'target',
    ])
  })

  it('goes back to connecting only with the start of a tunnel, and only before the first one', () => {
    const [, waiting] = events.wait
    if (waiting === undefined) throw new Error()
    expect(after(waiting, verifying, starting).map(({ state }) => state)).toEqual([
      'reconnecting',
      'reconnecting',
      'connecting',
    ])
  })

  it('says of no traffic that it is protected once the routes are gone', () => {
    const gone = { ...lost, routes: 'gone' } as const
    const states = after(starting, connected, lost, lost, gone, lost)
    expect(states.slice(2).map((state) => 'allTraffic' in state && state.allTraffic)).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
    expect(after(starting, connected, gone)[2]).toMatchObject({ routes: 'gone', allTraffic: undefined })
  })

  it('names the connection that could not be ended, not the one that was to follow', () => {
    const other = { ...target, profileId: 'office' }
    const third = { ...target, profileId: 'lab' }
    const [failed] = events.failed
    if (failed === undefined) throw new Error()
    const switches: ConnectionEvent[] = [
      { event: 'connect', target: other },
      { event: 'connect', target: third },
    ]
    expect(after(starting, connected, ...switches, failed).slice(2)).toMatchObject([
      { state: 'disconnecting', target: other, from: target },
      { state: 'disconnecting', target: third, from: target },
      { state: 'failed', target },
    ])
  })

  it('counts attempts on through the loss of a network, and anew after it', () => {
    const [down, resumed] = events.network
    if (down === undefined || resumed === undefined) throw new Error()
    const changed = { event: 'network', change: 'changed', routes: 'kept' } as const
    const states = after(starting, connected, down, changed, changed, down, resumed)
    expect(states.slice(2)).toMatchObject([
      { reason: 'network-down', attempt: 1, waitingForNetwork: true },
      { reason: 'network-changed', attempt: 1 },
      { reason: 'network-changed', attempt: 2 },
      { reason: 'network-down', attempt: 2, waitingForNetwork: true },
      { reason: 'resumed-from-sleep', attempt: 1 },
    ])
  })
})
