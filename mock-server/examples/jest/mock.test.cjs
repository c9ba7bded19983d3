const { createMockServer } = require('causeway-mock-server')

let server
let mock
beforeAll(async () => {
  server = await createMockServer({ autoApprove: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  mock = await server.world()
})
afterEach(() => mock.close())

test('retries until the service is back', async () => {
  await mock.fault({ match: { path: '/info.json' }, sequence: [{ times: 2, fault: { status: 503 } }] })
  const statuses = []
  while (statuses.at(-1) !== 200) statuses.push((await fetch(`${mock.instance}info.json`)).status)
  expect(statuses).toEqual([503, 503, 200])
  await mock.expectRequest({ path: '/info.json' }).times(3)
})
