import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, findsClients, newComputer, runningClients, startMock } from './connecting.testing'

const { mock, control } = await startMock()

/** A browser in which the user does nothing. */
const leaveOpen = () => Promise.resolve()

describe('a listener that throws', () => {
  it('is logged and affects nothing else', async () => {
    const computer = await newComputer(mock.instance)
    const { connection } = computer.services
    const received: string[] = []
    connection.onChange(() => {
      throw new Error('broken listener')
    })
    connection.onChange(({ state }) => received.push(state))
    connection.onLog(() => {
      throw new Error('broken listener')
    })
    await expect(computer.connect()).resolves.toBe('connected')
    await connection.disconnect()
    expect([...new Set(received)]).toEqual([
      'discovering',
      'authorizing',
      'preparing',
      'connecting',
      'connected',
      'disconnecting',
      'disconnected',
    ])
    expect(connection.state).toMatchObject({ state: 'disconnected' })
    expect((await computer.services.logLines(1000)).join()).toContain('"event":"defect"')
    await expect(computer.connect()).resolves.toBe('connected')
  })

  it('does not hide the error of a failed connection', async () => {
    const computer = await newComputer(mock.instance)
    await control.fault('/api/vpn/profile_config', { status: 500 })
    computer.services.connection.onChange(({ state }) => {
      if (state === 'failed') throw new Error('broken listener')
    })
    expect((await failure(computer.connect())).code).toBe('vpn-api/server-error')
    expect(computer.services.connection.state).toMatchObject({ state: 'failed' })
  })
})

describe('disconnect leaves nothing behind', () => {
  it.each([
    ['discovering', { delayed: '/info.json' }],
    ['authorizing', { openBrowser: leaveOpen }],
    ['preparing', { delayed: '/api/vpn/profile_config' }],
    ['connecting/starting', {}],
    ['connecting/contacting', {}],
    ['connecting/tls', {}],
    ['connected', {}],
  ])(
    'while %s',
    async (step, { delayed, openBrowser }: { delayed?: string; openBrowser?: () => Promise<void> }) => {
      const computer = await newComputer(mock.instance, { openBrowser })
      const { connection } = computer.services
      if (delayed !== undefined) await control.fault(delayed, { delayMs: 60_000 })
      // Disconnects inside the listener, because OpenVPN may report several steps at once.
      const ended = computer.at(step, () => connection.disconnect())
      const outcome = computer.connect()
      await ended

      // The state says that the first tunnel isn't up yet.
      expect(connection.state).toEqual({
        state: 'disconnected',
        target: computer.target(),
        ...(step === 'connected' ? {} : { notYetConnected: true }),
      })
      expect(runningClients()).toEqual([])
      await expect(outcome).resolves.toBe(step === 'connected' ? 'connected' : 'disconnected')
      expect(computer.steps.slice(-3)).toEqual([step, 'disconnecting', 'disconnected'])
    },
  )

  it('when called by a listener at the very start', async () => {
    const computer = await newComputer(mock.instance)
    const { connection } = computer.services
    let disconnected: Promise<void> | undefined
    connection.onChange(({ state }) => {
      if (state === 'discovering') disconnected = connection.disconnect()
    })
    await expect(computer.connect()).resolves.toBe('disconnected')
    await disconnected
    expect(computer.steps).toEqual(['discovering', 'disconnecting', 'disconnected'])
  })

  it('without a connection, where it does nothing', async () => {
    const { services, steps } = await newComputer(mock.instance)
    await services.connection.disconnect()
    expect(steps).toEqual([])
  })

  it('when the instance is removed', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect()
    await computer.services.removeInstance(computer.target().instanceId)
    expect(computer.services.connection.state).toMatchObject({ state: 'disconnected' })
    expect(runningClients()).toEqual([])
    expect(await computer.services.instances.all()).toEqual([])
    const secrets: unknown = JSON.parse(await readFile(join(computer.dataDir, 'secrets.json'), 'utf8'))
    expect(secrets).toEqual({ version: 1, data: {} })
  })
})

it.runIf(findsClients)('disconnects from one profile before it connects to another', async () => {
  const computer = await newComputer(mock.instance)
  await computer.connect('internet')
  await computer.connect('office')
  expect(computer.services.connection.state).toMatchObject({
    state: 'connected',
    target: computer.target('office'),
  })
  expect(runningClients()).toHaveLength(1)
  const left = computer.steps.indexOf('disconnecting')
  expect(computer.steps[left + 1]).toBe('discovering')
  expect(computer.steps).not.toContain('disconnected')
})

it.runIf(findsClients)('ends with one tunnel, that of the last of concurrent calls', async () => {
  const computer = await newComputer(mock.instance)
  const outcomes = await Promise.all([computer.connect('internet'), computer.connect('office')])
  expect(outcomes).toEqual(['disconnected', 'connected'])
  expect(computer.services.connection.state).toMatchObject({ target: computer.target('office') })
  expect(runningClients()).toHaveLength(1)
})

it.runIf(findsClients)('reports a killed OpenVPN if reconnecting is off', async () => {
  const computer = await newComputer(mock.instance)
  await computer.connect('internet', { reconnect: false })
  const failed = computer.at('failed')
  for (const pid of runningClients()) process.kill(pid, 'SIGKILL')
  await failed
  expect(computer.services.connection.state).toMatchObject({
    state: 'failed',
    error: { code: 'openvpn/stopped-unexpectedly', details: { signal: 'SIGKILL' } },
  })
  await expect(computer.connect()).resolves.toBe('connected')
})
