import { expect, it } from 'vitest'
import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { CausewayError } from '../errors'
import { renewSession, type RenewSessionParts } from './renew-session'

const own = { instanceId: 'https://vpn.example.org/', profileId: 'staff' }
const other = { instanceId: 'https://other.example.org/', profileId: 'guest' }

function preparing(target: ConnectionTarget): ConnectionState {
  return { state: 'preparing', target }
}

/** A renewal while `own` is connecting; the test says what happens during the login, and how it ends. */
function renewal(during: (change: (state: ConnectionState) => void) => void, error?: CausewayError) {
  const connected: unknown[] = []
  let state = preparing(own)
  const parts: RenewSessionParts = {
    instanceId: own.instanceId,
    connection: {
      get state() {
        return state
      },
      connect: (target) => {
        connected.push(target)
        return Promise.resolve()
      },
      disconnect: () => {
        state = { state: 'idle' }
        return Promise.resolve()
      },
    },
    tunnel: { use: () => Promise.resolve({ use: 'free' }), askToDisconnect: () => Promise.resolve() },
    pid: 1,
    takeOver: false,
    keepsTunnel: () => Promise.resolve(false),
    validity: () => Promise.resolve(undefined),
    onSameEnd: () => undefined,
    beforeLogin: () => Promise.resolve('login-kept'),
    logIn: () => {
      during((next) => (state = next))
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
    begin: () => Promise.resolve(),
  }
  return { renewed: renewSession(parts), connected }
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
