import { describe, expect, it } from 'vitest'
import { TestClient } from '../../mock-server/test-client'
import { failure, findsClients, newComputer, runningClients, startMock } from './connecting.testing'
import { createTestAuthority } from '../tunnel/openvpn/certificates.testing'

const hours = 3600

const { mock, control } = await startMock()

/** A clock that tests set forward, in seconds. */
function movableClock(): { readonly now: () => Date; ahead: number } {
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead * 1000) }
  return clock
}

function killClients(): Promise<void> {
  for (const pid of runningClients()) process.kill(pid, 'SIGKILL')
  return Promise.resolve()
}

describe('a tunnel whose login has expired', () => {
  it.runIf(findsClients).each([
    ['lost its OpenVPN', killClients],
    ['was dropped by its server', () => control.post('/tunnel', { action: 'restart' })],
  ])('and that %s fails with session/over, and the next connect logs in', async (_how, lose) => {
    const clock = movableClock()
    await control.post('/session', { endsInSeconds: 2 * hours })
    const computer = await newComputer(mock.instance, clock)
    const { connection } = computer.services
    await computer.connect('office', { preferTcp: true, remoteStrategy: 2 })
    await control.requests()
    // OpenVPN uses the system clock, so only Causeway's clock moves.
    clock.ahead = 2 * hours + 1
    await control.post('/scenarios/session-over')
    expect(connection.state.state).toBe('connected')

    const failed = computer.at('failed')
    await lose()
    await failed
    expect(connection.state).toMatchObject({ state: 'failed', error: { code: 'session/over' } })
    expect(runningClients()).toEqual([])
    // One request for a new certificate: the certificate alone might have expired.
    expect(await control.requests()).toEqual(['POST /oauth/token'])

    expect(await computer.connect('office')).toBe('connected')
    expect(computer.logins()).toBe(2)
  })

  it.runIf(findsClients)('reconnects if only the certificate has expired', async () => {
    const clock = movableClock()
    await control.post('/session', { endsInSeconds: 2 * hours })
    const computer = await newComputer(mock.instance, clock)
    await computer.connect()
    await control.post('/session', { endsInSeconds: 9 * hours })
    clock.ahead = 2 * hours + 1
    await control.requests()

    const back = computer.at('connected')
    await killClients()
    await back
    expect(await control.requests()).toEqual(['POST /oauth/token', 'POST /api/vpn/create_keypair'])
  })
})

describe('a wrong clock', () => {
  it('is reported with its offset, and no tunnel is tried', async () => {
    const clock = movableClock()
    clock.ahead = -2 * 24 * hours
    const computer = await newComputer(mock.instance, clock)
    const error = await failure(computer.connect())
    expect(error.code).toBe('clock/wrong')
    expect(error.message).toMatch(/^This computer's clock \(.*\) doesn't match the clock of 127\.0\.0\.1/)
    expect(Math.abs(Number(error.details?.aheadSeconds) + 2 * 24 * hours)).toBeLessThan(30)
    expect(runningClients()).toEqual([])
    const asked = await control.requests()
    expect(asked.filter((request) => request === 'POST /api/vpn/create_keypair')).toHaveLength(1)
  })

  it.runIf(findsClients)('is reported if it was set forward before the tunnel was lost', async () => {
    const clock = movableClock()
    await control.post('/session', { endsInSeconds: 2 * hours })
    const computer = await newComputer(mock.instance, clock)
    await computer.connect()
    clock.ahead = 30 * 24 * hours
    const failed = computer.at('failed')
    await killClients()
    await failed
    expect(computer.services.connection.state).toMatchObject({
      error: { code: 'clock/wrong', details: { instance: new URL(mock.instance).host } },
    })
  })

  it('is not reported if only the instance has the wrong time', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect()
    await computer.services.connection.disconnect()
    await control.post('/scenarios/not-yet-valid-certificate')
    expect(await failure(computer.connect())).toMatchObject({ code: 'certificate/clock-mismatch' })
  })

  it('is reported if it makes the certificate of the VPN server invalid', async () => {
    const person = new TestClient(mock)
    const { accessToken } = await person.logIn()
    const profile = await person.profileConfig(accessToken, 'profile_id=internet')
    const ca = `<ca>\n${createTestAuthority().certificate}</ca>`
    await control.fault('/api/vpn/profile_config', {
      headers: { 'content-type': 'application/x-openvpn-profile' },
      body: profile.replace(/<ca>[^]*<\/ca>/, ca),
    })
    const computer = await newComputer(mock.instance)
    await control.fault('/info.json', { headers: { date: new Date(Date.now() + 7_200_000).toUTCString() } })
    expect(await failure(computer.connect('internet', { preferTcp: true }))).toMatchObject({
      code: 'clock/wrong',
      message: expect.stringContaining("doesn't match the clock of") as string,
    })
  })
})
