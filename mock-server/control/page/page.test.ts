import { Script } from 'node:vm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../server'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await fetch(`${server.control}/reset`, { method: 'POST' })
})

const page = () => fetch(server.control, { headers: { accept: 'text/html,*/*' } })
const pageText = async () => (await page()).text()
const state = async (since: number) => (await fetch(`${server.control}/page/state?since=${since}`)).text()

it('runs only its own script, and cannot be framed by another page', async () => {
  const response = await page()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("form-action 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|style=|\son\w+=/)
})

it('links to the documents and its own files, which the mock all serves', async () => {
  const addresses = [...(await pageText()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  const own = addresses.filter((address) => !address.startsWith('data:'))
  expect(own).toEqual(expect.arrayContaining(['/_mock/api', '/_mock/openapi.json', '/_mock/page/page.js']))
  for (const address of own) {
    expect((await fetch(new URL(address, server.origin))).status, address).toBe(200)
  }
})

it('has a valid script', async () => {
  const response = await fetch(`${server.control}/page/page.js`)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const script = await response.text()
  expect(() => new Script(script)).not.toThrow()
})

it('shows the addresses that clients use, and a button for every scenario', async () => {
  const text = await pageText()
  for (const address of [server.instance, server.attachments, server.content, server.organizations]) {
    expect(text).toContain(`data-copy="${address}"`)
  }
  const scenarios = (await (await fetch(`${server.control}/scenarios`)).json()) as { name: string }[]
  for (const { name } of scenarios) expect(text).toContain(`data-call="POST /scenarios/${name}"`)
})

it('shows what clients sent as text, never as markup', async () => {
  const hostile = '<img src=x onerror="alert(1)">'
  await fetch(`${server.origin}/oauth/token?q=${encodeURIComponent(hostile)}`, {
    method: 'POST',
    headers: { 'x-hostile': hostile },
    body: `</pre>${hostile}`,
  })
  await fetch(`${server.control}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { path: `/${hostile}` }, every: 3, fault: { reset: true } }),
  })
  for (const text of [await pageText(), await state(0)]) {
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;/pre&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(text).toContain('reset, 1 of every 3 requests')
  }
})

it('updates itself with the requests since the last one only', async () => {
  await fetch(`${server.origin}/info.json`)
  const first = Number(/id="request-(\d+)"/.exec(await state(0))?.[1])
  await fetch(`${server.origin}/2.3/club`)
  const update = await state(first)
  expect(update).toContain('/2.3/club')
  expect(update).not.toContain('/info.json')
})
