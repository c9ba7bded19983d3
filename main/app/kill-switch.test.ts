import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { TrafficBlock } from '../privilege/traffic-block'
import { type Computer, findsClients, killClients, newComputer, startMock } from './connecting.testing'

const { mock } = await startMock()

/** A connected computer with a kill switch that an earlier run has left up. */
async function blockedComputer(): Promise<Computer> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-record-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const record = join(folder, 'kill-switch')
  await writeFile(record, 'cw1t')
  const trafficBlock = new TrafficBlock({ record, probe: () => Promise.resolve(false) })
  const computer = await newComputer(mock.instance, { trafficBlock })
  await computer.connect(undefined, { reconnect: false })
  // That of the secrets' file.
  computer.notices.length = 0
  return computer
}

const blocked = { code: 'helper/traffic-blocked' }

it.runIf(findsClients)('keeps the kill switch up after a failure, and says so', async () => {
  const { services, notices } = await blockedComputer()
  killClients()
  await vi.waitFor(() => {
    expect(services.connection.state.state).toBe('failed')
  })
  expect(notices).toEqual([expect.objectContaining(blocked)])
  expect(services.killSwitch.blocks()).toBe(true)
})

it.runIf(findsClients)(
  'does not say so when the user disconnects, or another process takes over',
  async () => {
    for (const by of [undefined, { kind: 'terminal', pid: 1, takesOver: true } as const]) {
      const { services, notices } = await blockedComputer()
      await services.connection.disconnect(by)
      expect(notices).toEqual([])
    }
  },
)
