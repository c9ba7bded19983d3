import { test as base, expect } from '@playwright/test'
import { createMockServer } from 'causeway-mock-server'

/** One server for each worker, and a world of it for each test. */
const test = base.extend({
  server: [
    async ({}, use) => {
      const server = await createMockServer({ autoApprove: true })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  mock: async ({ server }, use) => {
    const mock = await server.world()
    await use(mock)
    await mock.close()
  },
})

test('shows that every third request fails', async ({ mock, request }) => {
  await mock.fault({ every: 3, fault: { status: 500 } })
  const statuses = []
  while (statuses.length < 3) statuses.push((await request.get(`${mock.instance}info.json`)).status())
  expect(statuses).toEqual([200, 200, 500])
  await mock.waitFor({ path: '/info.json' })
})
