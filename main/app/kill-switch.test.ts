import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { systemBootId } from '../privilege/traffic-block'
import { type Computer, findsClients, killClients, newComputer, startMock } from './connecting.testing'

vi.setConfig({ testTimeout: 20_000 })

const { mock } = await startMock()

/** A connected computer with a kill switch that an earlier run has left up. */
async function blockedComputer(): Promise<Computer> {
  const computer = await newComputer(mock.instance)
  await writeFile(join(computer.dataDir, 'traffic-block'), systemBootId() ?? '')
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
