import { beforeEach, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { AppLanguage } from '../../commands/models/app-language'
import { ConnectionNotices } from './connection-notices'
import type { DesktopText } from './desktop-notifications'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const connecting: ConnectionState = { state: 'connecting', target, phase: 'tls' }
const connected: ConnectionState = {
  state: 'connected',
  target,
  addresses: {},
  remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
  allTraffic: true,
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  since: 0,
}
const lost: ConnectionState = {
  state: 'reconnecting',
  target,
  reason: 'ping-restart',
  attempt: 1,
  routes: 'kept',
}
const disconnected: ConnectionState = { state: 'disconnected', target }
const failed = (code: 'http/unreachable' | 'session/over'): ConnectionState => ({
  state: 'failed',
  target,
  error: { code, message: '' },
})

let received: DesktopText[]
let elapse: (() => void) | undefined
let notices: ConnectionNotices

beforeEach(() => {
  received = []
  elapse = undefined
  const language = new AppLanguage()
  notices = new ConnectionNotices({
    t: () => language.t,
    locale: () => 'en',
    errorText: (error) => language.errorText(error),
    notify: (text) => received.push(text),
    after: (_milliseconds, then) => {
      elapse = then
      return () => {
        elapse = undefined
      }
    },
  })
})

function see(...states: readonly ConnectionState[]): string[] {
  for (const state of states) notices.onState(state, [])
  return received.splice(0).map(({ title }) => title)
}

it.each([
  [true, true, 'Through the VPN: everything'],
  [false, false, "Through the VPN: only your organization's networks"],
  [false, true, "Only some of your traffic is protected: this computer's routes bypass the VPN."],
  [undefined, true, 'Checking what goes through the VPN…'],
])('says what goes through the tunnel (all traffic: %s, promised: %s)', (allTraffic, promised, body) => {
  const item = { profileId: 'internet', displayName: 'Internet', defaultGateway: promised }
  notices.onState({ ...connected, allTraffic }, [
    {
      id: target.instanceId,
      address: 'https://vpn.example.org/',
      login: 'signed-in',
      profiles: { status: 'loaded', items: [item] },
      messages: { status: 'loaded', items: [] },
    },
  ])
  expect(received).toEqual([{ title: 'Connected', body: `Connected to internet. ${body}` }])
})

it('notifies once of a connection, also if its details change', () => {
  notices.onState(connecting, [])
  notices.onState(connected, [])
  notices.onState({ ...connected, cipher: 'AES-256-GCM' }, [])
  expect(received).toEqual([
    { title: 'Connected', body: 'Connected to internet. Through the VPN: everything' },
  ])
})

it('notifies once that nothing passes', () => {
  const stalled: ConnectionState = { ...connected, passing: false }
  expect(see(connected, stalled, stalled)).toEqual(['Connected', 'No traffic gets through'])
  notices.onState(connected, [])
  notices.onState(stalled, [])
  expect(received).toEqual([
    {
      title: 'No traffic gets through',
      body: 'The server accepted the connection, but sends nothing back.',
    },
  ])
})

it('notifies of an interruption with its reason, and of the reconnect', () => {
  expect(see(connected, lost)).toEqual(['Connected'])
  elapse?.()
  expect(received).toEqual([
    {
      title: 'Connection lost',
      body: 'Reconnecting to vpn.example.org… Your traffic waits until then. The server stopped responding.',
    },
  ])
  expect(see({ ...lost, attempt: 2 }, connected)).toEqual(['Connection lost', 'Reconnected'])
})

it('does not notify of a short interruption', () => {
  expect(see(connected, lost, connected, disconnected)).toEqual(['Connected'])
  expect(elapse).toBeUndefined()
})

it('does not notify when the user disconnects, also during an interruption', () => {
  see(connected, lost)
  expect(see({ state: 'disconnecting', target }, disconnected)).toEqual([])
  expect(elapse).toBeUndefined()
  expect(see(connecting, connected)).toEqual(['Connected'])
})

it('does not notify of a new start that the user asked for, but if it fails', () => {
  const requested: ConnectionState = { ...lost, reason: 'requested' }
  expect(see({ ...connected, passing: false }, requested)).toEqual(['No traffic gets through'])
  elapse?.()
  expect(received).toEqual([])
  expect(see(connected, requested, { ...lost, attempt: 2 })).toEqual([])
  elapse?.()
  expect(received.map(({ title }) => title)).toEqual(['Connection lost'])
})

it('notifies of failed and lost connections, but not of expired logins', () => {
  expect(see(connecting, failed('http/unreachable'))).toEqual(["Couldn't connect: vpn.example.org"])
  expect(see(connected, failed('http/unreachable'))).toEqual(['Connected', 'Connection lost'])
  expect(see(connected, failed('session/over'))).toEqual(['Connected'])
})

it('notifies of a login that was revoked before its end', () => {
  const revoked: ConnectionState = {
    state: 'failed',
    target,
    error: { code: 'session/over', variant: 'revoked', message: '' },
  }
  expect(see(connected, revoked)).toEqual(['Connected', 'Connection lost'])
})
