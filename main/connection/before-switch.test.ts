import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import type { Connection } from './connection'
import { target, unreachable, world } from './connection.testing'

const office = { ...target, profileId: 'office' }
const elsewhere = { ...target, instanceId: 'other.example.org' }
const protectedWorld = (options: Parameters<typeof world>[0] = {}) =>
  world({ killSwitch: () => Promise.resolve(true), ...options })

/** Does something a number of turns of the microtask queue after a switch has begun. Returns what waits for its end. */
function inTurns(connection: Connection, turns: number, work: () => Promise<unknown>) {
  let hasBegun = false
  let done: Promise<unknown> | undefined
  connection.onChange(({ state }) => {
    if (hasBegun || state !== 'disconnecting') return
    hasBegun = true
    done = after()
  })
  async function after() {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    return work()
  }
  return () => done
}

function counts(done: readonly string[]) {
  const count = (name: string) => done.filter((step) => step === name).length
  return { unblock: count('unblock'), release: count('release') }
}

/** What is done from now on. */
function since(done: readonly string[]) {
  const before = done.length
  return () => done.slice(before)
}

describe('a switch with the kill switch', () => {
  it('gets the next configuration through the tunnel, and never lifts it in between', async () => {
    const { connection, done } = protectedWorld({ isVersion2: true })
    await connection.connect(target)
    const later = since(done)
    expect(await connection.connect(office)).toBe('connected')
    expect(connection.state).toMatchObject({ state: 'connected', target: office })
    expect(later()).toEqual([expect.stringMatching(/^connect/), 'tunnel down'])
    await connection.disconnect()
    expect(later().slice(2)).toEqual(['tunnel down', 'unblock', 'release'])
  })

  it('tells another portal through the new tunnel that the old one has ended', async () => {
    const { connection, done } = protectedWorld()
    await connection.connect(target)
    const later = since(done)
    await connection.connect(elsewhere)
    expect(later()).toEqual(['connect 3', 'tunnel down', 'disconnect 1'])
    await connection.disconnect()
    expect(later().slice(3)).toEqual(['tunnel down', 'unblock', 'disconnect 3', 'release'])
  })

  const isUnreachable = new CausewayError('http/unreachable', { details: { host: 'other.example.org' } })
  it.each([
    ['the portal ends the tunnel when it grants another', {}, office, []],
    ['the portal cannot be reached through it', { refusals: { 3: isUnreachable } }, elsewhere, ['connect 3']],
  ])('lifts it first where %s', async (_what, options, next, before) => {
    const { connection, done } = protectedWorld(options)
    await connection.connect(target)
    const later = since(done)
    await connection.connect(next)
    const ended = ['tunnel down', 'unblock', 'disconnect 1', 'release']
    expect(later()).toEqual([...before, ...ended, expect.stringMatching(/^connect/)])
    await connection.disconnect()
  })

  it.each([
    ['no traffic passes through the tunnel', { says: [{ event: 'passing', passing: false } as const] }],
    ['there is no kill switch', { killSwitch: () => Promise.resolve(false) }],
  ])('asks the portal only afterwards where %s', async (_what, options) => {
    const { connection, done } = protectedWorld(options)
    await connection.connect(target)
    const later = since(done)
    await connection.connect(elsewhere)
    const ended = ['tunnel down', 'unblock', 'disconnect 1', 'release']
    expect(later()).toEqual([...ended, expect.stringMatching(/^connect/)])
    await connection.disconnect()
  })

  it('asks the portal only afterwards while the tunnel is restored', async () => {
    const { connection, done } = protectedWorld({
      drops: [1],
      delay: (_milliseconds, signal) => once(signal, 'abort'),
    })
    await connection.connect(target)
    await expect.poll(() => connection.state).toMatchObject({ state: 'reconnecting' })
    const later = since(done)
    await connection.connect(elsewhere)
    expect(later()).toEqual(['unblock', 'disconnect 1', 'release', expect.stringMatching(/^connect/)])
    await connection.disconnect()
  })

  it('keeps the tunnel if a login is needed that may not be asked for', async () => {
    const needed = new CausewayError('oauth/login-required')
    const { connection } = protectedWorld({
      refusals: { 3: needed, 4: needed, 5: needed, 6: needed },
    })
    await connection.connect(target)
    await expect(connection.connect(elsewhere, { login: 'never' })).rejects.toBe(needed)
    expect(connection.state).toMatchObject({ state: 'connected', target })
    expect(await connection.connect(elsewhere)).toBe('connected')
    await connection.disconnect()
  })

  it('keeps the tunnel if the portal refuses', async () => {
    const refused = new CausewayError('vpn-api/not-allowed')
    const { connection, done } = protectedWorld({ refusals: { 3: refused } })
    await connection.connect(target)
    await expect(connection.connect(elsewhere)).rejects.toBe(refused)
    expect(connection.state).toMatchObject({ state: 'connected', target })
    expect(done).not.toContain('tunnel down')
    await connection.disconnect()
  })

  const steps = Array.from({ length: 60 }, (_, index) => index)

  it.each(steps)(
    'that is given up %i steps after its begin lifts it, and gives all configurations back',
    async (n) => {
      const { connection, done } = protectedWorld()
      await connection.connect(target)
      const ended = inTurns(connection, n, () => connection.disconnect())
      await connection.connect(elsewhere)
      await ended()
      expect(connection.state.state).toBe('disconnected')
      expect(counts(done)).toMatchObject({ unblock: 1, release: 1 })
      for (const portal of done.filter((step) => step.startsWith('connect ')))
        expect(done).toContain(`dis${portal}`)
    },
  )

  it.each(steps)('that another one takes the place of after %i steps ends with that one', async (n) => {
    const { connection, done } = protectedWorld()
    await connection.connect(target)
    const third = inTurns(connection, n, () => connection.connect(office))
    await connection.connect(elsewhere)
    await third()
    expect(connection.state).toMatchObject({ state: 'connected', target: office })
    await connection.disconnect()
    const { unblock, release } = counts(done)
    expect(unblock).toBe(release)
    // Its portal is asked without the kill switch, or through a tunnel that is ended only then.
    const asked = done.findLastIndex((step) => step.startsWith('connect '))
    expect(done.slice(0, asked).includes('unblock') || done[asked + 1] === 'tunnel down').toBe(true)
  })

  it('keeps it up if the new tunnel fails', async () => {
    const { connection, done } = protectedWorld({ isVersion2: true, fails: [2] })
    await connection.connect(target)
    const later = since(done)
    await expect(connection.connect(office)).rejects.toBe(unreachable)
    expect(connection.state).toMatchObject({ state: 'failed', target: office })
    // What lifts it asks first how the connection has ended.
    expect(later()).toEqual([expect.stringMatching(/^connect/), 'tunnel down', 'unblock', 'release'])
  })

  it('whose tunnel fails tells the portal of the old one, once', async () => {
    const { connection, done } = protectedWorld({ fails: [2] })
    await connection.connect(target)
    await expect(connection.connect(elsewhere)).rejects.toBe(unreachable)
    await expect.poll(() => done).toContain('disconnect 1')
    await connection.connect(elsewhere)
    await connection.disconnect()
    expect(done.filter((step) => step.startsWith('disconnect'))).toEqual(['disconnect 1', 'disconnect 4'])
  })

  it('that another one to the same portal replaces gives nothing back there', async () => {
    const { connection, done } = protectedWorld()
    await connection.connect(target)
    const [first, second] = [elsewhere, { ...elsewhere, profileId: 'office' }].map((next) =>
      connection.connect(next),
    )
    expect([await first, await second]).toEqual(['disconnected', 'connected'])
    // The portal would withdraw the newest configuration with the other one.
    expect(done.filter((step) => step.startsWith('disconnect'))).toEqual(['disconnect 1'])
    await connection.disconnect()
    // With what the first one got.
    expect(done.filter((step) => step.startsWith('disconnect'))).toHaveLength(3)
  })

  it('that another one to the same portal replaces gives nothing back there if it is refused', async () => {
    const refused = new CausewayError('vpn-api/not-allowed')
    const { connection, done } = protectedWorld({ refusals: { 4: refused } })
    await connection.connect(target)
    const [first, second] = [elsewhere, { ...elsewhere, profileId: 'office' }].map((next) =>
      connection.connect(next),
    )
    expect([await first, await second]).toEqual(['disconnected', 'connected'])
    expect(done.filter((step) => step.startsWith('disconnect'))).toEqual(['disconnect 1'])
    await connection.disconnect()
  })

  it.each([
    ['before', 3],
    ['after', 2],
  ])('gives back what it got %s another one to the same portal is refused', async (_when, slow) => {
    const refused = new CausewayError('vpn-api/not-allowed')
    let asked = 0
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const { connection, done } = protectedWorld({
      refusals: { 5: refused },
      answers: () => ((asked += 1) === slow ? answered : Promise.resolve()),
    })
    await connection.connect(target)
    const later = since(done)
    const first = connection.connect(elsewhere)
    const second = expect(connection.connect({ ...elsewhere, profileId: 'office' })).rejects.toBe(refused)
    await (slow === 3 ? first : second)
    answer()
    expect(await first).toBe('disconnected')
    await second
    expect(later()).toContain('connect 4')
    await expect.poll(later).toContain('disconnect 4')
    expect(connection.state).toMatchObject({ state: 'connected', target })
    await connection.disconnect()
  })

  it('that another one to a third portal replaces gives back what it got', async () => {
    const { connection, done } = protectedWorld()
    await connection.connect(target)
    const [first, second] = [elsewhere, { ...elsewhere, instanceId: 'third.example.org' }].map((next) =>
      connection.connect(next),
    )
    expect([await first, await second]).toEqual(['disconnected', 'connected'])
    expect(done.filter((step) => step.startsWith('disconnect')).sort()).toEqual([
      'disconnect 1',
      expect.stringMatching(/^disconnect [2-5]$/),
    ])
    await connection.disconnect()
  })

  it('that is given up can be followed by another one, although something went wrong', async () => {
    const defects: unknown[] = []
    const lost = new Error('The lock could not be released.')
    const { connection } = protectedWorld({
      claim: () => Promise.resolve({ unblock: () => Promise.resolve(), release: () => Promise.reject(lost) }),
      onDefect: (error) => defects.push(error),
    })
    await connection.connect(target)
    const ended = inTurns(connection, 13, () => connection.disconnect())
    await connection.connect(elsewhere)
    await ended()
    expect(defects).toEqual([lost])
    expect(await connection.connect(elsewhere)).toBe('connected')
    await connection.disconnect()
  })
})

it('can be given up at any time also without the kill switch', async () => {
  for (let turn = 0; turn < 40; turn += 1) {
    const { connection, done } = world()
    await connection.connect(target)
    const ended = inTurns(connection, turn, () => connection.disconnect())
    await connection.connect(office)
    await ended()
    expect(connection.state.state, `after ${String(turn)} turns`).toBe('disconnected')
    expect(counts(done).unblock).toBe(counts(done).release)
  }
})
