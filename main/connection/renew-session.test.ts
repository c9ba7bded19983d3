import { expect, it } from 'vitest'
import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { CausewayError } from '../errors'
import { renewSession, type RenewSessionParts } from './renew-session'

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
  { state = preparing(own), keepsTunnel = false } = {},
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

it('leaves a connection to another service as it is', async () => {
  const { renewed, steps } = renewal(() => undefined, undefined, { state: preparing(other) })
  await renewed
  expect(steps).toEqual(['login'])
})
