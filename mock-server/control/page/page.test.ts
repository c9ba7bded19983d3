import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../server'

let server: MockServer
let html: string
let policy: string
beforeAll(async () => {
  server = await createMockServer()
  const response = await fetch(server.control, { headers: { accept: 'text/html,*/*' } })
  policy = response.headers.get('content-security-policy') ?? ''
  html = await response.text()
})
afterAll(() => server.close())

it('runs only its own script, and may be shown in no other page', () => {
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("form-action 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(html).not.toMatch(/<script(?![^>]* src=)|style=|\son\w+=/)
})

it('leads to the documents and to everything that it needs, all of it here', async () => {
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
  const own = addresses.filter((address) => !address.startsWith('data:'))
  expect(own).toEqual(expect.arrayContaining(['/_mock/api', '/_mock/openapi.json', '/_mock/page/page.js']))
  for (const address of own) {
    expect((await fetch(new URL(address, server.origin))).status, address).toBe(200)
  }
})

it('has a script that browsers can read, and that inserts nothing as markup', async () => {
  const response = await fetch(`${server.control}/page/page.js`)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const script = await response.text()
  expect(() => new Script(script)).not.toThrow()
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/)
})
