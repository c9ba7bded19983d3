import { expect, it, vi } from 'vitest'
import { newComputer, startMock } from './connecting.testing'

const left = vi.hoisted(() => ({ isDns: () => Promise.resolve(false) }))
vi.mock('../privilege/dns-left', () => ({ isDnsLeft: () => left.isDns() }))

const { mock } = await startMock({ autoApprove: true })

it('gives the tunnel back if what an earlier run left cannot be looked for', async () => {
  const computer = await newComputer(mock.instance)
  const { services } = computer
  const tooMany = Object.assign(new Error('Too many open files'), { code: 'EMFILE' })
  left.isDns = () => Promise.reject(tooMany)
  await expect(services.connection.connect(computer.target())).rejects.toBe(tooMany)
  expect(await services.tunnel.use()).toEqual({ use: 'free' })
})
