import { expect, it, onTestFinished } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { type Computer, newComputer, runningClients, startMock } from '../../app/connecting.testing'
import type { NetworkEvent, NetworkEvents } from '../../platform/network/network-events'
import { createServices } from '../../app/services'
import { autoConnect } from './auto-connect'

const { mock, control } = await startMock()

const profileConfig = '/api/vpn/profile_config'

/** Returns a computer with the setting on, after a connection to the office. */
async function afterLastTime(networkEvents?: NetworkEvents): Promise<Computer> {
  const computer = await newComputer(mock.instance, { networkEvents })
  await computer.connect('office')
  await computer.services.connection.disconnect()
  await computer.services.lastConnections.put(computer.target('office'))
  await computer.services.settings.set('autoConnect', 'true')
  computer.steps.length = 0
  await control.requests()
  return computer
}

/** Auto-connects as at the start of the app, with a handshake only. */
function start({ services }: Computer): Promise<void> {
  return autoConnect(services, { mode: 'handshake-only' })
}

function next<State extends ConnectionState['state']>(
  { services }: Computer,
  state: State,
): Promise<Extract<ConnectionState, { state: State }>> {
  return new Promise((resolve) => {
    const stop = services.connection.onChange((now) => {
      if (now.state !== state) return
      stop()
      resolve(now as Extract<ConnectionState, { state: State }>)
    })
  })
}

it('connects to the last profile without a browser', async () => {
  const computer = await afterLastTime()
  const before = computer.logins()
  await start(computer)
  expect(computer.services.connection.state).toMatchObject({
    state: 'connected',
    target: computer.target('office'),
  })
  expect(computer.logins()).toBe(before)
})

it('does nothing if it is off, if there is no last connection, or if the instance was removed', async () => {
  const computer = await afterLastTime()
  await computer.services.settings.set('autoConnect', 'false')
  await start(computer)
  await computer.services.settings.set('autoConnect', 'true')
  await computer.services.lastConnections.removeInstance(computer.target().instanceId)
  await start(computer)
  await computer.services.lastConnections.put({ instanceId: 'gone.example.org', profileId: 'office' })
  await start(computer)
  expect(computer.steps).toEqual([])
  expect(await control.requests()).toEqual([])
})

it('fails without a browser if a login is required', async () => {
  const computer = await afterLastTime()
  const before = computer.logins()
  await control.post('/tokens/revoke', { kind: 'all' })
  await start(computer)
  expect(computer.services.connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'oauth/login-required' },
  })
  expect(computer.logins()).toBe(before)
})

it('waits for a network and connects as soon as there is one', async () => {
  const listeners = new Set<(event: NetworkEvent) => void>()
  const computer = await afterLastTime({
    watch: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  await control.fault(profileConfig, { reset: true })
  const waiting = next(computer, 'reconnecting')
  const started = start(computer)
  expect(await waiting).toMatchObject({ reason: 'unreachable', attempt: 1 })

  await fetch(`${mock.control}/faults`, { method: 'DELETE' })
  for (const listener of [...listeners]) listener('up')
  await started
  expect(computer.services.connection.state.state).toBe('connected')
  // Only the supervisor watches now.
  expect(listeners.size).toBe(1)
})

it('can be disconnected while waiting, and leaves no process behind', async () => {
  const computer = await afterLastTime()
  await control.fault(profileConfig, { reset: true })
  const waiting = next(computer, 'reconnecting')
  const started = start(computer)
  await waiting
  await computer.services.connection.disconnect()
  await started
  expect(computer.steps.slice(-2)).toEqual(['disconnecting', 'disconnected'])
  expect(computer.services.connection.state).toMatchObject({ notYetConnected: true })
  expect(runningClients()).toEqual([])
})

it('does not wait if the setting reconnect is off', async () => {
  const computer = await afterLastTime()
  await computer.services.settings.set('reconnect', 'false')
  await control.fault(profileConfig, { reset: true })
  await start(computer)
  expect(computer.steps).not.toContain('reconnecting')
  expect(computer.services.connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'http/unreachable' },
  })
})

it('forgets a profile that the instance no longer offers', async () => {
  const computer = await afterLastTime()
  await control.fault(profileConfig, {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"profile_config":{"ok":false,"error":"profile not available or no permission"}}',
  })
  await start(computer)
  expect(computer.services.connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'vpn-api/profile-unavailable' },
  })
  await expect.poll(() => computer.services.lastConnections.all()).toEqual([])
})

it('does not take over the tunnel of another process', async () => {
  const terminal = await afterLastTime()
  await terminal.connect('internet')
  const window = createServices({
    dataDir: terminal.dataDir,
    secretStore: 'file',
    kind: 'window',
    openBrowser: () => Promise.reject(new Error('No browser.')),
    onNotice: () => undefined,
  })
  onTestFinished(() => window.dispose())
  await autoConnect(window, { mode: 'handshake-only' })
  expect(window.connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'connection/held-by-other' },
  })
  expect(terminal.services.connection.state).toMatchObject({
    state: 'connected',
    target: terminal.target('internet'),
  })
})
