import { describe, expect, it } from 'vitest'
import {
  approve,
  type Computer,
  failure,
  findsClients,
  newComputer,
  runningClients,
  startMock,
} from './connecting.testing'
import { expiryAt } from '../connection/expiry'
import type { OpenBrowser } from '../portal/oauth/token-session'

const { mock, control } = await startMock()

describe('renewing a login that ends soon', () => {
  it('replaces the certificate and reconnects', async () => {
    await control.post('/scenarios/session-soon-over')
    const computer = await newComputer(mock.instance)
    const { services, steps } = computer
    await computer.connect()
    const instance = await services.instances.find(undefined)
    const ending = await (await services.certificates(instance)).load()
    if (ending === undefined) throw new Error('There is no certificate')
    expect(expiryAt(ending, new Date())).toMatchObject({ stage: 'soon', renewable: true })
    await control.post('/reset')

    steps.length = 0
    await services.renewSession(instance, { mode: 'handshake-only' }, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
    expect(steps.slice(0, 2)).toEqual(['disconnecting', 'disconnected'])
    expect(computer.logins()).toBe(2)
    const renewed = await (await services.certificates(instance)).load()
    if (renewed === undefined) throw new Error('There is no certificate')
    expect(expiryAt(renewed, new Date())).toMatchObject({ stage: 'far', renewable: false })
    expect(renewed.notAfter.getTime()).toBeGreaterThan(ending.notAfter.getTime())
  })

  it('does not connect if there was no tunnel', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    await computer.connect()
    await services.connection.disconnect()
    await services.renewSession(await services.instances.find(undefined), {}, (session) => session.logIn())
    expect(services.connection.state.state).toBe('disconnected')
    expect(computer.logins()).toBe(2)
  })

  it('connects to the profile that is named, also without a tunnel before', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    const named = { mode: 'handshake-only', profileId: computer.target().profileId } as const
    await services.renewSession(await services.instances.find(undefined), named, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
    expect(computer.logins()).toBe(1)
  })

  /** Connects with an approved login; `answer` handles the logins after it. */
  async function connectedWhoThen(answer: OpenBrowser): Promise<Computer> {
    let first = true
    const computer = await newComputer(mock.instance, {
      openBrowser: async (...urls) => {
        await (first ? approve(...urls) : answer(...urls))
        first = false
      },
    })
    await computer.connect()
    computer.steps.length = 0
    return computer
  }

  const again = { mode: 'handshake-only' } as const

  it('keeps login and tunnel if the user refuses', async () => {
    const computer = await connectedWhoThen(async (_start, url = _start) => {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        error: 'access_denied',
        state: url.searchParams.get('state') ?? '',
      }).toString()
      await (await fetch(back)).text()
    })
    const { services, steps } = computer
    const instance = await services.instances.find(undefined)
    const before = await (await services.certificates(instance)).load()
    await control.requests()
    expect(await failure(services.renewSession(instance, again, (session) => session.logIn()))).toMatchObject(
      {
        code: 'oauth/access-denied',
      },
    )
    expect(services.connection.state.state).toBe('connected')
    // The tunnel stays until the new login is there.
    expect(steps).toEqual([])
    expect(await (await services.certificates(instance)).load()).toEqual(before)
    expect(await services.session(instance).signedIn()).toBe(true)
    expect(computer.logins()).toBe(2)
    expect(await control.requests()).not.toContain('POST /oauth/token')
  })

  it('keeps a connection made before the user cancels', async () => {
    const cancel = new AbortController()
    const computer = await connectedWhoThen(async () => {
      await computer.connect('office')
      cancel.abort()
    })
    const { services } = computer
    const instance = await services.instances.find(undefined)
    const renewal = services.renewSession(instance, again, (session) => session.logIn(cancel.signal))
    expect(await failure(renewal)).toMatchObject({ code: 'oauth/cancelled' })
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target('office') })
  })

  it('keeps a connection made before the user approves', async () => {
    const computer = await connectedWhoThen(async (url) => {
      await computer.connect('office')
      await approve(url)
    })
    const { services } = computer
    const instance = await services.instances.find(undefined)
    await services.renewSession(instance, again, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target('office') })
  })

  it('reconnects with another certificate if the first request for one failed', async () => {
    const computer = await connectedWhoThen(approve)
    const { services } = computer
    await control.fault('/api/vpn/create_keypair', { status: 500 }, 1)
    const instance = await services.instances.find(undefined)
    expect(await failure(services.renewSession(instance, again, (session) => session.logIn()))).toMatchObject(
      {
        code: 'vpn-api/server-error',
      },
    )
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
  })

  it.runIf(findsClients)(
    'reconnects to the same profile if the login ended during the connection',
    async () => {
      const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) }
      const computer = await newComputer(mock.instance, { now: () => clock.now() })
      const { services } = computer
      await control.post('/session', { endsInSeconds: 7200 })
      await computer.connect('office')
      clock.ahead = 7201_000
      await control.post('/scenarios/session-over')
      const failed = computer.at('failed')
      for (const pid of runningClients()) process.kill(pid, 'SIGKILL')
      await failed
      await services.renewSession(await services.instances.find(undefined), again, (session) =>
        session.logIn(),
      )
      expect(services.connection.state).toMatchObject({
        state: 'connected',
        target: computer.target('office'),
      })
      expect(computer.logins()).toBe(2)
    },
  )
})
