import { beforeEach, expect, it } from 'vitest'
import { serveMock } from '../test-server'

const { server } = await serveMock()
beforeEach(async () => {
  await fetch(`${server.control}/reset`, { method: 'POST' })
})

const page = () => fetch(server.control, { headers: { accept: 'text/html,*/*' } })
const pageText = async () => (await page()).text()

it('runs no script, and cannot be framed by another page', async () => {
  const response = await page()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('script-src')
  expect(await response.text()).not.toMatch(/<script|style=|\son\w+=/)
})

it('links to the documents, which the mock serves', async () => {
  const own = [...(await pageText()).matchAll(/href="([^"]+)"/g)].map(([, address]) => address ?? '')
  expect(own).toEqual(expect.arrayContaining(['/_mock/api', '/_mock/openapi.json']))
  for (const address of own) {
    expect((await fetch(new URL(address, server.origin))).status, address).toBe(200)
  }
})

it('shows the addresses that clients use', async () => {
  const text = await pageText()
  for (const address of [server.instance, server.attachments, server.content, server.organizations]) {
    expect(text).toContain(`<td>${address}</td>`)
  }
})

it('finds scenarios by words of their name or sentence, and has a button for each', async () => {
  const buttons = async (find: string) => {
    const text = await (await fetch(`${server.control}?find=${encodeURIComponent(find)}`)).text()
    return [...text.matchAll(/action="\/_mock\/scenarios\/([^"]+)"/g)].map(([, name]) => name).slice(1)
  }
  expect(await buttons('')).toEqual([])
  expect(await buttons('LOGIN denied')).toContain('login-denied')
  expect((await buttons('login')).length).toBeGreaterThan((await buttons('login denied')).length)
  const scenarios = (await (await fetch(`${server.control}/scenarios`)).json()) as { name: string }[]
  for (const { name } of scenarios) expect(await pageText()).toContain(`<option value="${name}">`)
})

it('takes a browser that pressed a button back to the page', async () => {
  const sent = await fetch(`${server.control}/scenarios/flaky-network`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html,*/*',
      origin: server.origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: '',
  })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/_mock'])
  const text = await pageText()
  expect(text).toContain('<td>flaky-network</td>')
  expect(text).toContain('&quot;reset&quot;:true')
})

it('shows what clients sent as text, never as markup', async () => {
  const hostile = '<img src=x onerror="alert(1)">'
  await fetch(`${server.origin}/oauth/token?q=${encodeURIComponent(hostile)}`, { method: 'POST' })
  await fetch(`${server.control}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { query: { q: hostile } }, every: 3, fault: { reset: true } }),
  })
  const text = await pageText()
  expect(text).not.toContain('<img')
  expect(text).toContain('&lt;img src=x onerror=')
  expect(text).toContain('/oauth/token?q=')
})

it('links each request to its entry in the journal', async () => {
  await fetch(`${server.origin}/info.json`)
  await fetch(`${server.origin}/2.3/club`)
  const link = /href="([^"]*since=[^"]*)">\/2\.3\/club/.exec(await pageText())?.[1] ?? ''
  const entries = await (await fetch(new URL(link, server.origin))).json()
  expect(entries).toMatchObject([{ path: '/2.3/club' }])
})
