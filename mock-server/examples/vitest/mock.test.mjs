import { createMockServer } from 'causeway-mock-server'
import { test as base, expect } from 'vitest'

const server = await createMockServer({ autoApprove: true })

/** Tests with a mock of their own: a world of one server. */
const test = base.extend({
  mock: async ({ task: _ }, use) => {
    const mock = await server.world()
    await use(mock)
    await mock.close()
  },
})

test.concurrent('asks for the document once', async ({ mock }) => {
  const response = await fetch(`${mock.instance}info.json`)
  expect(response.status).toBe(200)
  await mock.expectRequest({ path: '/info.json' }).times(1)
})

test.concurrent('shows that the service is down', async ({ mock }) => {
  await mock.scenario('content-down')
  expect((await fetch(`${mock.content}/2.3/club`)).status).toBe(503)
  await mock.expectRequest({ path: '/info.json' }).never()
})
