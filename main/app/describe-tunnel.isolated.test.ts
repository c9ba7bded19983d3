import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { newComputer, startMock } from './connecting.testing'

const network = 'eth0 192.0.2.1'
vi.mock('../platform/network/current-network', () => ({ currentNetwork: () => Promise.resolve(network) }))

const { mock, control } = await startMock({ tunnel: 'openvpn', autoApprove: true, api: '3' })

/** Returns the bodies of the `/connect` requests so far. */
async function asked(): Promise<unknown[]> {
  const journal = (await (await fetch(`${mock.control}/requests`)).json()) as {
    readonly path: string
    readonly body: unknown
  }[]
  return journal.filter(({ path }) => path === '/api/v3/connect').map(({ body }) => body)
}

it('describes the tunnel that connecting asks for, also on a network that blocks UDP', async () => {
  const computer = await newComputer(mock.instance)
  const { dataDir, services } = computer
  const target = computer.target()
  await writeFile(
    join(dataDir, 'blocked-networks.json'),
    JSON.stringify({ version: 1, data: { networks: [{ network, at: Date.now() }] } }),
  )
  await computer.connect()
  await services.connection.disconnect()
  const connected = await asked()
  await control.post('/reset')
  const instance = await services.instances.find(target.instanceId)
  await services.session(instance).logIn()
  const { signal } = new AbortController()
  await services.describeTunnel(instance, target.profileId, { login: 'never', signal })
  expect(await asked()).toEqual(connected)
  expect(JSON.stringify(connected)).toContain('prefer_tcp=yes')
})
