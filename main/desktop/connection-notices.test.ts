import { beforeEach, expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { AppLanguage } from './app-language'
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
  since: 0,
}
const lost: ConnectionState = { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1 }
const disconnected: ConnectionState = { state: 'disconnected', target }
const failed = (code: 'http/unreachable' | 'session/over'): ConnectionState => ({
  state: 'failed',
  target,
  error: { code, message: '' },
})

let told: DesktopText[]
let elapse: (() => void) | undefined
let notices: ConnectionNotices

beforeEach(() => {
  told = []
  elapse = undefined
  const language = new AppLanguage()
  notices = new ConnectionNotices({
    t: () => language.t,
    tell: (text) => told.push(text),
    after: (_milliseconds, then) => {
      elapse = then
      return () => {
        elapse = undefined
      }
    },
  })
})

function see(...states: readonly ConnectionState[]): string[] {
  for (const state of states) notices.see(state)
  return told.splice(0).map(({ title }) => title)
}

it.each([
  [false, "Only traffic to this profile's networks uses the VPN."],
  [undefined, "You're connected to vpn.example.org."],
])('claims no more traffic than the tunnel carries (all of it: %s)', (allTraffic, body) => {
  notices.see({ ...connected, allTraffic })
  expect(told).toEqual([{ title: 'Connected', body }])
})

it('tells of a connection once, though it is sent again with more about it', () => {
  notices.see(connecting)
  notices.see(connected)
  notices.see({ ...connected, cipher: 'AES-256-GCM' })
  expect(told).toEqual([{ title: 'Connected', body: 'All your traffic goes through vpn.example.org.' }])
})

it('tells why it was interrupted, and that it is back', () => {
  expect(see(connected, lost)).toEqual(['Connected'])
  elapse?.()
  expect(told).toEqual([
    {
      title: 'Connection lost',
      body: 'The connection to vpn.example.org was interrupted. Reconnecting… The server stopped responding.',
    },
  ])
  expect(see({ ...lost, attempt: 2 }, connected)).toEqual(['Connection lost', 'Reconnected'])
})

it('says nothing of an interruption that is over at once', () => {
  expect(see(connected, lost, connected, disconnected)).toEqual(['Connected'])
  expect(elapse).toBeUndefined()
})

it('says nothing when the person disconnects, also in the middle of an interruption', () => {
  see(connected, lost)
  expect(see({ state: 'disconnecting', target }, disconnected)).toEqual([])
  expect(elapse).toBeUndefined()
  expect(see(connecting, connected)).toEqual(['Connected'])
})

it('tells of what did not come about or ended, but leaves the end of a login to who tells of that', () => {
  expect(see(connecting, failed('http/unreachable'))).toEqual(["Couldn't connect to vpn.example.org"])
  expect(see(connected, failed('http/unreachable'))).toEqual(['Connected', 'Connection lost'])
  expect(see(connected, failed('session/over'))).toEqual(['Connected'])
})
