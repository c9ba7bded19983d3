import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import { TunnelFailure } from '../tunnel/tunnel'
import { target, unreachable, world } from './connection.testing'

const notEnded = new CausewayError('helper/failed', { variant: 'not-ended' })

it('says so if a tunnel does not end, instead of that it has disconnected', async () => {
  const { connection, done } = world({ leftUp: notEnded })
  await connection.connect(target)
  await connection.disconnect()
  expect(connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'helper/failed', message: expect.stringContaining('may still be up') as string },
  })
  expect(done).toEqual(['connect 1', 'tunnel down', 'unblock', 'disconnect 1', 'release'])
  await connection.disconnect()
  expect(done).toHaveLength(5)
})

it('ends at once while the way to the first server is looked for', async () => {
  const asked: (AbortSignal | undefined)[] = []
  const { connection } = world({
    getBackend: () =>
      Promise.resolve({
        getReady: () => () => Promise.resolve(),
        openTunnel: async (_tunnel, { signal }) => {
          asked.push(signal)
          if (signal !== undefined) await once(signal, 'abort')
          throw new CausewayError('http/cancelled')
        },
        isOutdated: () => Promise.resolve(false),
        describe: () => Promise.resolve(''),
      }),
  })
  const connecting = connection.connect(target)
  await expect.poll(() => asked).toEqual([expect.any(AbortSignal)])
  await connection.disconnect()
  expect(await connecting).toBe('disconnected')
  expect(connection.state).toMatchObject({ state: 'disconnected' })
})

it('waits for the first tunnel where the person signs in to the network, and then while it is shaky', async () => {
  let isWalled = true
  const states: unknown[] = []
  const { connection, done } = world({
    // The first failure after the sign-in says nothing of it.
    fails: [1, 2],
    isBehindCaptivePortal: () => isWalled,
    delay: () => {
      states.push(connection.state)
      isWalled = states.length < 2
      return Promise.resolve()
    },
  })
  await connection.connect(target, { waitsForNetworkSignIn: true })
  const waiting = { state: 'reconnecting', reason: 'captive-portal', notYetConnected: true }
  expect(states).toMatchObject([waiting, waiting, { state: 'reconnecting', reason: 'unreachable' }])
  expect(done).toEqual(['connect 1', 'connect 2', 'connect 3'])
  expect(connection.state).toMatchObject({ state: 'connected' })
  await connection.disconnect()

  const { connection: other } = world({ fails: [1] })
  await expect(other.connect(target, { waitsForNetworkSignIn: true })).rejects.toBe(unreachable)
  const { connection: terminal } = world({ fails: [1], isBehindCaptivePortal: () => true })
  await expect(terminal.connect(target)).rejects.toMatchObject({ code: 'network/captive-portal' })
})

it('hands on the log of every attempt', async () => {
  const { connection } = world({ fails: [1] })
  const lines: string[] = []
  const stop = connection.onLog((line) => lines.push(line))
  await connection.connect(target, { patient: true })
  stop()
  await connection.disconnect()
  expect(lines.filter((line) => line.startsWith('start'))).toEqual(['start 1', 'start 2'])
})

it('makes the next attempt at once if the person asks for it before the first tunnel', async () => {
  const waits: number[] = []
  const { connection, done } = world({
    fails: [1],
    delay: (milliseconds, signal) => {
      waits.push(milliseconds)
      return once(signal, 'abort')
    },
  })
  const connecting = connection.connect(target, { patient: true })
  await expect.poll(() => waits).toHaveLength(1)
  connection.retryNow()
  expect(await connecting).toBe('connected')
  expect(done).toEqual(['connect 1', 'connect 2'])
  await connection.disconnect()
})

it('reports a defect as one, and not as a server that cannot be reached', async () => {
  const defect = new TypeError('x is not a function')
  const { connection, done } = world({ claim: () => Promise.reject(defect) })
  await expect(connection.connect(target)).rejects.toBe(defect)
  expect(connection.state).toMatchObject({ state: 'failed', error: { code: 'internal/unexpected' } })
  expect(done).toEqual([])
})

it('reports a defect that happens while it is stopped', async () => {
  const defect = new TypeError('x is not a function')
  const defects: unknown[] = []
  const { connection } = world({
    claim: () => Promise.resolve({ unblock: () => Promise.resolve(), release: () => Promise.reject(defect) }),
    onDefect: (error) => defects.push(error),
  })
  await connection.connect(target)
  await connection.disconnect()
  expect(defects).toEqual([defect])
  expect(connection.state.state).toBe('disconnected')
})

it('remembers the network that seems to block UDP, not the one where connecting began', async () => {
  const networks = ['home', 'hotel']
  const added: unknown[] = []
  const { connection } = world({
    fails: [1],
    failsWith: new TunnelFailure({ failureClass: 'silent', reason: 'no-answer' }, 'wireguard/no-answer'),
    blockedNetworks: {
      current: () => Promise.resolve(networks.shift()),
      has: () => Promise.resolve(false),
      add: (network) => {
        added.push(network)
        return Promise.resolve()
      },
    },
  })
  await connection.connect(target)
  await expect.poll(() => added).toEqual(['hotel'])
  await connection.disconnect()
})

it('gets the program of the tunnel ready while the portal is asked, and ends it if there is no grant', async () => {
  const { connection, done } = world({ asks: 'wireguard' })
  await expect(connection.connect(target)).rejects.toMatchObject({ code: 'vpn-api/not-allowed' })
  expect(done).toEqual(['connect 1', 'ready for wireguard, full', 'stood down', 'unblock', 'release'])
})

describe('a switch to another profile', () => {
  const office = { ...target, profileId: 'office' }
  const lab = { ...target, profileId: 'lab' }

  it('is one state on the way, without being disconnected in between', async () => {
    const { connection } = world()
    await connection.connect(target)
    const seen: object[] = []
    connection.onChange(({ state, ...rest }) =>
      seen.push({ state, ...('target' in rest && rest.target), ...rest }),
    )
    expect(await connection.connect(office)).toBe('connected')
    const onTheWay = { ...office, target: office, switching: true }
    expect(seen).toMatchObject([
      { state: 'disconnecting', ...onTheWay, from: target },
      { state: 'discovering', ...onTheWay },
      { state: 'preparing', ...onTheWay },
      { state: 'connecting', ...onTheWay },
      { state: 'connected', ...office },
    ])
    expect(seen.at(-1)).not.toHaveProperty('switching')
    await connection.disconnect()
  })

  it('to the same profile says so on the way, and no more once it is given up', async () => {
    const { connection } = world()
    await connection.connect(target)
    const seen: object[] = []
    const stop = connection.onChange((state) => seen.push(state))
    await connection.connect(target, { preferTcp: true })
    const onTheWay = { target, switching: true, again: true }
    expect(seen).toMatchObject([
      { state: 'disconnecting', ...onTheWay },
      { state: 'discovering', ...onTheWay },
      { state: 'preparing', ...onTheWay },
      { state: 'connecting', ...onTheWay },
      { state: 'connected', target },
    ])
    expect(seen.at(-1)).not.toHaveProperty('again')
    stop()
    connection.onChange((state) => {
      if (state.state === 'disconnecting' && state.switching) void connection.disconnect()
    })
    expect(await connection.connect(target)).toBe('disconnected')
    expect(connection.state).toEqual({ state: 'disconnected', target })
  })

  it('that another one takes the place of ends without an error, whatever the portal answers', async () => {
    const answers: ((error: Error) => void)[] = []
    const { connection } = world({
      validate: () =>
        new Promise((_resolve, reject) => {
          answers.push(reject)
        }),
    })
    await connection.connect(target)
    const superseded = connection.connect(office)
    await expect.poll(() => answers.length).toBe(1)
    const ended = connection.disconnect()
    answers[0]?.(new CausewayError('vpn-api/profile-unavailable'))
    expect(await superseded).toBe('disconnected')
    await ended
  })

  it('can be cancelled until the new connection begins', async () => {
    const { connection, done } = world()
    await connection.connect(target)
    connection.onChange((state) => {
      if (state.state === 'disconnecting' && state.switching) void connection.disconnect()
    })
    expect(await connection.connect(office)).toBe('disconnected')
    expect(connection.state).toEqual({ state: 'disconnected', target: office })
    expect(done.filter((step) => step.startsWith('connect'))).toEqual(['connect 1'])
  })

  it('can be cancelled by a listener, when nothing is left of the old connection', async () => {
    const { connection, done } = world()
    await connection.connect(target)
    connection.onChange((state) => {
      if (state.state === 'discovering') void connection.disconnect()
    })
    expect(await connection.connect(office)).toBe('disconnected')
    expect(connection.state.state).toBe('disconnected')
    expect(done).not.toContain('connect 2')
  })

  it('goes to the profile that was chosen last', async () => {
    const { connection, done } = world()
    await connection.connect(target)
    const [first, second] = [connection.connect(office), connection.connect(lab)]
    expect([await first, await second]).toEqual(['disconnected', 'connected'])
    expect(connection.state).toMatchObject({ state: 'connected', target: lab })
    expect(done.filter((step) => step.startsWith('connect'))).toEqual(['connect 1', expect.any(String)])
    await connection.disconnect()
  })
})

describe('the portal is told after the user has disconnected', () => {
  it('once the tunnel is down, before another process may connect', async () => {
    const { connection, done } = world()
    await connection.connect(target)
    await connection.disconnect()
    expect(done).toEqual(['connect 1', 'tunnel down', 'unblock', 'disconnect 1', 'release'])
  })

  it('also if the kill switch cannot be lifted', async () => {
    const error = new CausewayError('helper/failed')
    const claim: string[] = []
    const { connection, done } = world({
      claim: () =>
        Promise.resolve({
          unblock: () => {
            claim.push('unblock')
            return Promise.reject(error)
          },
          release: () => {
            claim.push('release')
            return Promise.resolve()
          },
        }),
    })
    await connection.connect(target)
    await connection.disconnect()
    expect(done).toEqual(['connect 1', 'tunnel down', 'disconnect 1'])
    expect(claim).toEqual(['unblock', 'release'])
  })

  it('also of the configuration of an attempt that failed, if the next one is cancelled', async () => {
    const waiting: (() => void)[] = []
    const { connection, done } = world({
      fails: [1],
      delay: (_milliseconds, signal) =>
        new Promise<void>((resolve) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => {
            resolve()
          })
        }),
    })
    const connecting = connection.connect(target, { patient: true })
    await expect.poll(() => waiting.length).toBe(1)
    await connection.disconnect()
    expect(await connecting).toBe('disconnected')
    expect(done).toEqual(['connect 1', 'unblock', 'disconnect 1', 'release'])
  })

  it('of every configuration that its attempts have got', async () => {
    const { connection, done } = world({ fails: [1] })
    await connection.connect(target, { patient: true })
    await connection.disconnect()
    expect(done).toEqual([
      'connect 1',
      'connect 2',
      'tunnel down',
      'unblock',
      'disconnect 1',
      'disconnect 2',
      'release',
    ])
  })

  it('after a failure only once the user ends it, for example by quitting', async () => {
    const { connection, done } = world({ fails: [1] })
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    expect(done).toEqual(['connect 1', 'unblock', 'release'])
    await connection.disconnect()
    await connection.disconnect()
    expect(done).toEqual(['connect 1', 'unblock', 'release', 'disconnect 1'])
    expect(connection.state.state).toBe('failed')
  })

  it('also after a second attempt that did not get as far as the portal', async () => {
    const found = [true, false]
    const { connection, done } = world({ fails: [1], isDiscovered: () => found.shift() ?? false })
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    await expect(connection.connect(target)).rejects.toMatchObject({ code: 'discovery/not-found' })
    await connection.disconnect()
    expect(done.filter((step) => step.includes('connect '))).toEqual(['connect 1', 'disconnect 1'])
  })

  it('after a failure if the user connects to another instance, but not to the same one', async () => {
    const { connection, done } = world({ fails: [1, 2] })
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    await connection.connect({ ...target, instanceId: 'other.example.org' })
    expect(done.filter((step) => step.includes('connect '))).toEqual([
      'connect 1',
      'connect 2',
      'disconnect 2',
      'connect 3',
    ])
  })

  it('once of a failure, also if the next connection to another instance does not get as far', async () => {
    const found = [true, false]
    const { connection, done } = world({ fails: [1], isDiscovered: () => found.shift() ?? false })
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    const next = connection.connect({ ...target, instanceId: 'other.example.org' })
    await expect(next).rejects.toMatchObject({ code: 'discovery/not-found' })
    await connection.disconnect()
    expect(done.filter((step) => step.startsWith('disconnect'))).toEqual(['disconnect 1'])
  })
})
