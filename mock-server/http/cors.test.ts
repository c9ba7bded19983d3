import { afterEach, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const page = 'https://app.test.example'

async function ask(
  options: MockServerOptions,
  path: string,
  init: { method?: string; headers?: Record<string, string> } = {},
): Promise<Headers> {
  server ??= await createMockServer(options)
  return (await fetch(`${server.origin}${path}`, { ...init, headers: { origin: page, ...init.headers } }))
    .headers
}

const allowed = (headers: Headers) => headers.get('access-control-allow-origin')

it('lets no page read answers unless it is asked to', async () => {
  expect(allowed(await ask({}, '/2.3/club'))).toBeNull()
})

it('lets the pages of one origin read answers, errors and simulated faults', async () => {
  const options = { cors: [page] }
  expect(allowed(await ask(options, '/2.3/club'))).toBe(page)
  expect(allowed(await ask(options, '/api/none'))).toBe(page)
  expect(
    allowed(await ask(options, '/2.3/club', { headers: { origin: 'https://other.example' } })),
  ).toBeNull()
  await fetch(`${server?.control ?? ''}/scenarios/server-errors`, { method: 'POST' })
  expect(allowed(await ask(options, '/2.3/club'))).toBe(page)
})

it('answers preflight requests', async () => {
  const headers = await ask({ cors: ['*'] }, '/api/vpn/create_keypair', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })
  expect(allowed(headers)).toBe('*')
  expect(headers.get('access-control-allow-methods')).toContain('PATCH')
  expect(headers.get('access-control-allow-headers')).toBe('authorization')
})

it('is refused for anything but an origin', async () => {
  await expect(createMockServer({ cors: ['app.example'] })).rejects.toThrow('is not an origin such as')
})

it('never opens the control calls', async () => {
  expect(allowed(await ask({ cors: ['*'] }, '/_mock/requests'))).toBeNull()
})
