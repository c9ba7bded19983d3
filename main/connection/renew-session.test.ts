import { describe, expect, it } from 'vitest'
import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { CausewayError, toErrorReport } from '../errors'
import { sessionOver } from './failures'
import { renewSession, requireNoOther, type RenewSessionParts } from './renew-session'
import type { TunnelUse } from './lock/holder-client'

const own = { instanceId: 'https://vpn.example.org/', profileId: 'staff' }
const other = { instanceId: 'https://other.example.org/', profileId: 'guest' }

function preparing(target: ConnectionTarget): ConnectionState {
  return { state: 'preparing', target }
}

const up: ConnectionState = {
  state: 'connected',
  target: own,
  addresses: { ipv4: '10.0.0.2' },
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
  allTraffic: true,
  routes: ['0.0.0.0/0'],
  protocol: 'openvpn',
  since: 0,
}

/** A renewal while `own` is connecting; the test says what happens during the login, and how it ends. */
function renewal(
  during: (change: (state: ConnectionState) => void) => void,
  error?: CausewayError,
  {
    state = preparing(own),
    keepsTunnel = false,
    ...more
  }: Partial<Omit<RenewSessionParts, 'keepsTunnel'>> & {
    readonly state?: ConnectionState
    readonly keepsTunnel?: boolean
  } = {},
) {
  const connected: unknown[] = []
  const steps: string[] = []
  const parts: RenewSessionParts = {
    instanceId: own.instanceId,
    connection: {
      get state() {
        return state
      },
      connect: (target) => {
        connected.push(target)
        steps.push('connect')
        return Promise.resolve()
      },
      disconnect: () => {
        steps.push('disconnect')
        state = { state: 'idle' }
        return Promise.resolve()
      },
    },
    tunnel: { use: () => Promise.resolve({ use: 'free' }), askToDisconnect: () => Promise.resolve() },
    pid: 1,
    takeOver: false,
    keepsTunnel: () => Promise.resolve(keepsTunnel),
    validity: () => Promise.resolve(undefined),
    onSameEnd: () => undefined,
    beforeLogin: () => Promise.resolve('login-kept'),
    logIn: () => {
      steps.push('login')
      during((next) => (state = next))
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
    begin: () => Promise.resolve(),
    ...more,
  }
  return { renewed: renewSession(parts), connected, steps }
}

const cancelled = new CausewayError('oauth/cancelled')

it('restores the old connection after a cancelled login', async () => {
  const { renewed, connected } = renewal(() => undefined, cancelled)
  await expect(renewed).rejects.toBe(cancelled)
  expect(connected).toEqual([own])
})

it('leaves the connection alone after a cancelled login if the user has changed it meanwhile', async () => {
  const { renewed, connected } = renewal((change) => {
    change(preparing(other))
  }, cancelled)
  await expect(renewed).rejects.toBe(cancelled)
  expect(connected).toEqual([])
})

it('leaves the connection alone after the login if the user has changed it meanwhile', async () => {
  const { renewed, connected } = renewal((change) => {
    change(preparing(other))
  })
  await renewed
  expect(connected).toEqual([])
})

it.each([
  ['before the login where the portal takes it then', false, ['disconnect', 'login', 'connect']],
  ['after the login where the portal lets it stay', true, ['login', 'disconnect', 'connect']],
])('ends the tunnel %s', async (_when, keepsTunnel, expected) => {
  const { renewed, steps } = renewal(() => undefined, undefined, { state: up, keepsTunnel })
  await renewed
  expect(steps).toEqual(expected)
})

it('keeps the tunnel that the portal lets stay if the login is cancelled', async () => {
  const { renewed, steps } = renewal(() => undefined, cancelled, { state: up, keepsTunnel: true })
  await expect(renewed).rejects.toBe(cancelled)
  expect(steps).toEqual(['login'])
})

it('ends what is not a tunnel yet before the login, also where the portal lets tunnels stay', async () => {
  const { renewed, steps } = renewal(() => undefined, undefined, { keepsTunnel: true })
  await renewed
  expect(steps).toEqual(['disconnect', 'login', 'connect'])
})

it('restores the old connection if the credentials of the new login cannot be had', async () => {
  const { renewed, connected } = renewal(() => undefined, undefined, {
    begin: () => Promise.reject(cancelled),
  })
  await expect(renewed).rejects.toBe(cancelled)
  expect(connected).toEqual([own])
})

it('restores the old connection if the old login cannot be ended, without opening the browser', async () => {
  const locked = new CausewayError('secret-store/locked')
  const { renewed, steps } = renewal(() => undefined, undefined, {
    state: up,
    beforeLogin: () => Promise.reject(locked),
  })
  await expect(renewed).rejects.toBe(locked)
  expect(steps).toEqual(['disconnect', 'connect'])
})

it('leaves a connection to another service as it is', async () => {
  const { renewed, steps } = renewal(() => undefined, undefined, { state: preparing(other) })
  await renewed
  expect(steps).toEqual(['login'])
})

it('leaves a connection to another service alone that the user has ended meanwhile', async () => {
  const during = (change: (state: ConnectionState) => void) => {
    change({ state: 'disconnected', target: other })
  }
  const { renewed, steps } = renewal(during, undefined, { state: preparing(other), profileId: 'staff' })
  await renewed
  expect(steps).toEqual(['login'])
})

it('leaves the connection alone if the user has chosen another profile of the other service', async () => {
  const during = (change: (state: ConnectionState) => void) => {
    change(preparing({ ...other, profileId: 'lab' }))
  }
  const { renewed, steps } = renewal(during, undefined, { state: preparing(other), profileId: 'staff' })
  await renewed
  expect(steps).toEqual(['login'])
})

it('connects to the profile that is named while another service is connected, whose traffic changes', async () => {
  const during = (change: (state: ConnectionState) => void) => {
    change({ ...up, target: other })
  }
  const { renewed, connected } = renewal(during, undefined, { state: preparing(other), profileId: 'guest' })
  await renewed
  expect(connected).toEqual([{ ...own, profileId: 'guest' }])
})

it('does not restore a connection whose login has ended', async () => {
  const { renewed, steps } = renewal(() => undefined, cancelled, {
    beforeLogin: () => Promise.resolve('login-ended'),
  })
  await expect(renewed).rejects.toBe(cancelled)
  expect(steps).toEqual(['disconnect', 'login'])
})

it.each([
  ['because its login had ended', sessionOver(own.instanceId), ['disconnect', 'login', 'connect']],
  ['for want of a login', new CausewayError('oauth/login-required'), ['disconnect', 'login', 'connect']],
  ['otherwise, but only ends it', new CausewayError('helper/failed'), ['disconnect', 'login']],
])('connects again after a connection that failed %s', async (_why, error, expected) => {
  const state: ConnectionState = { state: 'failed', target: own, error: toErrorReport(error) }
  const { renewed, steps } = renewal(() => undefined, undefined, { state })
  await renewed
  expect(steps).toEqual(expected)
  const refused = renewal(() => undefined, cancelled, { state })
  await expect(refused.renewed).rejects.toBe(cancelled)
  expect(refused.steps, 'nothing was up').toEqual(['disconnect', 'login'])
})

it.each([
  [999, 1],
  [-999, 1],
  [1000, 0],
  [undefined, 0],
])('says that the new login ends like the old one if it ends %s ms later', async (later, times) => {
  const end = (ms: number) => ({ notBefore: new Date(0), notAfter: new Date(ms) })
  const ends = [end(5000), later === undefined ? undefined : end(5000 + later)]
  let said = 0
  const { renewed } = renewal(() => undefined, undefined, {
    validity: () => Promise.resolve(ends.shift()),
    onSameEnd: () => (said += 1),
  })
  await renewed
  expect(said).toBe(times)
})

describe('a tunnel of another process', () => {
  const heldBy = (
    pid: number,
    connection: ConnectionState,
  ): Pick<RenewSessionParts, 'tunnel'> & { asked: string[] } => {
    const asked: string[] = []
    const use: TunnelUse = { use: 'held', holder: { pid, kind: 'terminal', since: 0, home: '/', connection } }
    return {
      asked,
      tunnel: {
        use: () => Promise.resolve(use),
        askToDisconnect: () => Promise.resolve(void asked.push('disconnect')),
      },
    }
  }
  const requiring = ({ tunnel }: Pick<RenewSessionParts, 'tunnel'>) =>
    requireNoOther({ tunnel, pid: 1, instanceId: own.instanceId })
  const details = { kind: 'terminal', pid: 7, instance: own.instanceId, profileId: own.profileId }
  const refusal = { code: 'connection/held-by-other', variant: 'renewing', details }
  const idle: ConnectionState = { state: 'idle' }

  it('to the instance is not ended without being asked for', async () => {
    const { tunnel, asked } = heldBy(7, up)
    await expect(requiring({ tunnel })).rejects.toMatchObject(refusal)
    const { renewed, steps } = renewal(() => undefined, undefined, { state: idle, tunnel })
    await expect(renewed).rejects.toMatchObject(refusal)
    expect([steps, asked]).toEqual([[], []])
  })

  it('to the instance is taken over where that is asked for', async () => {
    const { tunnel, asked } = heldBy(7, up)
    const { renewed, connected } = renewal(() => undefined, undefined, {
      state: idle,
      tunnel,
      takeOver: true,
    })
    await renewed
    expect([connected, asked]).toEqual([[own], ['disconnect']])
  })

  it.each([
    ['of this process itself', heldBy(1, up)],
    ['to another instance', heldBy(7, { ...up, target: other })],
    ['that is being ended', heldBy(7, { state: 'disconnecting', target: own })],
  ])('does not matter %s', async (_what, { tunnel, asked }) => {
    await expect(requiring({ tunnel })).resolves.toBeUndefined()
    const { renewed, steps } = renewal(() => undefined, undefined, { state: idle, tunnel })
    await renewed
    expect([steps, asked]).toEqual([['login'], []])
  })
})
