import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { failingBrowser, scriptedBrowser, startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })

/** Starts a login, and returns it with the address that it prints. */
async function startLogin() {
  const person = await command.person(mock.instance)
  const running = person.start(['login', '--no-browser', '--json'], {
    env: { CAUSEWAY_BROWSER: failingBrowser },
  })
  const lines = createInterface({ input: running.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const { authorizeAt } = JSON.parse(first) as { authorizeAt: string }
  return { person, running, address: new URL(authorizeAt) }
}

/** The address where the browser ends, which another computer can't open. */
async function approvedAddress(address: URL): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

it('logs in with the address that a browser elsewhere ends at', async () => {
  const { person, running, address } = await startLogin()
  running.stdin.write('\nnot an address\nhttps://evil.example/callback?code=x\n')
  running.stdin.write(`  ${await approvedAddress(address)}  \n`)
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toMatchObject({ loggedIn: true })
  expect(await person.json('profile', 'list')).toHaveLength(2)
})

it('logs in through a forwarded port as well, without a pasted address', async () => {
  const { running, address } = await startLogin()
  await fetch(await approvedAddress(address))
  expect((await running).exitCode).toBe(0)
})

it('refuses an answer to another login, and takes the right one afterwards', async () => {
  const { running, address } = await startLogin()
  const right = await approvedAddress(address)
  const wrong = new URL(right)
  wrong.searchParams.set('state', 'another')
  running.stdin.write(`${wrong.href}\n`)
  // A name in the address is no reason to give up, nor are the marks of a terminal around what is pasted.
  running.stdin.write(`\u001B[200~${right.replace('http://', 'http://name:word@')}\u001B[201~\n`)
  expect((await running).exitCode).toBe(0)
})

it.skipIf(process.platform === 'win32')('opens the browser of $BROWSER without --no-browser', async () => {
  const person = await command.person(mock.instance)
  const { status, stderr } = await person.run(['login'], {
    env: { BROWSER: scriptedBrowser() },
    through: ['/usr/bin/env', '-u', 'CAUSEWAY_BROWSER'],
  })
  expect({ status, stderr }).toMatchObject({ status: 0 })
})
