import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { failingBrowser, startCommandAndMock } from './causeway.testing'

/** Older than RFC 9207: without `iss`, nothing tells whose page the user approved on. */
const portal = { autoApprove: true, portalVersion: '2.3.0' } as const
const { command, mock: asking } = await startCommandAndMock(portal)
const another = await startTestMock(portal)
afterAll(() => another.close())

/** Starts a login at the service that asks, and returns it with the address where the browser ends. */
async function startLogin(knowsAnother: boolean) {
  onTestFinished(async () => {
    await fetch(`${asking.control}/requests`, { method: 'DELETE' })
  })
  const person = await command.person(asking.instance)
  if (knowsAnother) await person.json('instance', 'add', another.instance)
  const running = person.start(['login', asking.instance, '--no-browser', '--json'], {
    env: { CAUSEWAY_BROWSER: failingBrowser },
  })
  const [first] = (await once(createInterface({ input: running.stdout }), 'line')) as [string]
  const { authorizeAt } = JSON.parse(first) as { authorizeAt: string }
  return { running, authorizeAt: new URL(authorizeAt) }
}

async function approvedAddress(address: URL): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

/** The codes that the service got. */
async function codesAtAsking(): Promise<unknown[]> {
  const requests = (await (await fetch(`${asking.control}/requests`)).json()) as { path: string }[]
  return requests.filter(({ path }) => path.endsWith('/oauth/token'))
}

it("keeps the code of another service from the one that sent the browser to that service's page", async () => {
  const { running, authorizeAt } = await startLogin(true)
  const forwarded = new URL(authorizeAt.search, new URL('/oauth/authorize', another.instance))
  running.stdin.write(`${await approvedAddress(forwarded)}\nno\n`)
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(3)
  expect(stdout).toContain(JSON.stringify({ confirm: new URL(asking.instance).host }))
  expect(await codesAtAsking()).toEqual([])
})

it('goes on once the user has confirmed the service', async () => {
  const { running, authorizeAt } = await startLogin(true)
  running.stdin.write(`${await approvedAddress(authorizeAt)}\ncontinue\n`)
  expect((await running).exitCode).toBe(0)
})

it('asks nothing about the only service', async () => {
  const { running, authorizeAt } = await startLogin(false)
  await fetch(await approvedAddress(authorizeAt))
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(0)
  expect(stdout).not.toContain('confirm')
  expect(await codesAtAsking()).toHaveLength(1)
})
