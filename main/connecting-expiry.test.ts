import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMockServer, type MockServer } from '../mock-server/server'
import { MockControl, failure, newComputer } from './connecting.testing'
import { expiryAt } from './expiry/expiry'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let mock: MockServer
let control: MockControl

beforeAll(async () => {
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
  control = new MockControl(mock.control)
})
afterAll(() => mock.close())

describe('a login that ends soon', () => {
  it('is renewed with its certificate, and connected again', async () => {
    await control.post('/scenarios/session-soon-over')
    const computer = await newComputer(mock.instance)
    const { services, steps } = computer
    await computer.connect()
    const instance = await services.instances.find(undefined)
    const ending = await services.keyPairs(instance).load()
    if (ending === undefined) throw new Error('There is no certificate')
    expect(expiryAt(ending, new Date())).toMatchObject({ stage: 'soon', renewable: false })
    await control.post('/reset')

    steps.length = 0
    await services.renewSession(instance, { mode: 'handshake-only' }, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
    expect(steps.slice(0, 2)).toEqual(['disconnecting', 'disconnected'])
    expect(computer.logins()).toBe(2)
    const renewed = await services.keyPairs(instance).load()
    if (renewed === undefined) throw new Error('There is no certificate')
    expect(expiryAt(renewed, new Date())).toMatchObject({ stage: 'far', renewable: false })
    expect(renewed.notAfter.getTime()).toBeGreaterThan(ending.notAfter.getTime())
  })

  it('is renewed without connecting where there was no tunnel', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    await computer.connect()
    await services.connection.disconnect()
    await services.renewSession(await services.instances.find(undefined), {}, (session) => session.logIn())
    expect(services.connection.state.state).toBe('disconnected')
    expect(computer.logins()).toBe(2)
  })

  it('is over when the person refuses the new one, and nothing connects by itself', async () => {
    let refuse = false
    const computer = await newComputer(mock.instance, {
      openBrowser: async (url) => {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.search = new URLSearchParams({
          error: 'access_denied',
          state: url.searchParams.get('state') ?? '',
        }).toString()
        await (await fetch(refuse ? back : url)).text()
      },
    })
    const { services } = computer
    await computer.connect()
    refuse = true
    const instance = await services.instances.find(undefined)
    expect(await failure(services.renewSession(instance, {}, (session) => session.logIn()))).toMatchObject({
      code: 'oauth/access-denied',
    })
    expect(services.connection.state.state).toBe('disconnected')
    expect(await services.session(instance).signedIn()).toBe(false)
  })
})
