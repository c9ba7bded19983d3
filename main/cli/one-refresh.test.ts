import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { MockControl } from '../app/connecting.testing'
import { idleBrowser, type Person, startCommandAndMock } from './causeway.testing'
import { slow } from '../../scripts/slow.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })
const inItsOwn = { through: [] }

/** Makes the stored access token expired. */
async function expire({ dataDir }: Person): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  const content = await readFile(path, 'utf8')
  const expired = content.replace(/expiresAt\\":\d+/, 'expiresAt\\":0')
  expect(expired).not.toBe(content)
  await writeFile(path, expired)
}

it('refreshes the token once for four concurrent processes', async () => {
  const person = await command.person(mock.instance)
  const control = new MockControl(mock.control)
  await person.run(['login'])
  await expire(person)
  await control.requests()
  // Slow enough for all processes to need a refresh.
  await control.fault('/oauth/token', { delayMs: 800 }, 1)
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => person.run(['profile', 'list', '--no-login'], inItsOwn)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0, 0])
  expect((await control.requests()).filter((request) => request === 'POST /oauth/token')).toHaveLength(1)
})

slow('opens one browser for four processes that need a login', async () => {
  const person = await command.person(mock.instance)
  const control = new MockControl(mock.control)
  await control.requests()
  let output = ''
  const running = Array.from({ length: 4 }, () => {
    const each = person.start(['profile', 'list'], { env: { CAUSEWAY_BROWSER: idleBrowser } })
    each.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return each
  })
  await expect.poll(() => output.match(/Waiting for that sign-in\./g)).toHaveLength(3)
  await expect.poll(() => output).toMatch(/^ {2}http/m)
  const [, address = ''] = /^ {2}(http\S+)/m.exec(output) ?? []
  expect((await fetch(address)).status).toBe(200)
  for (const each of running) expect((await each).exitCode).toBe(0)
  const requests = await control.requests()
  // One request by Causeway to check the client id, and one in place of the browser.
  expect(requests.filter((request) => request === 'GET /oauth/authorize')).toHaveLength(2)
  expect(requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(1)
})

slow('continues with the waiting process if the first login is cancelled', async () => {
  const person = await command.person(mock.instance)
  const control = new MockControl(mock.control)
  await control.requests()
  // A browser that does nothing.
  const first = person.start(['login'], { env: { CAUSEWAY_BROWSER: idleBrowser } })
  await expect
    .poll(() => readdir(join(person.dataDir, 'locks')).catch(() => []))
    .toContainEqual(expect.stringMatching(/-login\.lock$/))
  const second = person.start(['login'])
  for await (const line of createInterface({ input: second.stderr })) if (line.includes('Waiting')) break
  first.kill('SIGINT')
  expect((await first).exitCode).not.toBe(0)
  expect((await second).exitCode).toBe(0)
})

slow('is not blocked by a process that was killed during a refresh', async () => {
  const person = await command.person(mock.instance)
  const control = new MockControl(mock.control)
  await person.run(['login'])
  await expire(person)
  await control.fault('/oauth/token', { delayMs: 60_000 }, 1)
  const running = person.start(['profile', 'list', '--no-login'])
  const locks = () => readdir(join(person.dataDir, 'locks')).catch(() => [])
  await expect.poll(locks).toHaveLength(1)
  running.kill('SIGKILL')
  await running
  await fetch(`${mock.control}/faults`, { method: 'DELETE' })
  expect(await person.run(['profile', 'list', '--no-login'], inItsOwn)).toMatchObject({ status: 0 })
})

it('applies settings that two processes change at the same time', async () => {
  const person = await command.person()
  await Promise.all([
    person.run(['settings', 'set', 'theme', 'dark'], inItsOwn),
    person.run(['settings', 'set', 'preferTcp', 'true'], inItsOwn),
  ])
  expect(await person.json('settings', 'list')).toMatchObject({ theme: 'dark', preferTcp: true })
})
