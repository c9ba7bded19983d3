import { createInterface } from 'node:readline'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { BuiltCommand, type Person, secretWords } from './causeway.testing'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let command: BuiltCommand
let mock: MockServer

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
})
afterAll(async () => {
  await mock.close()
  await command.remove()
})

const journal = z.array(
  z.object({ headers: z.object({ authorization: z.string().optional() }), body: z.string().nullable() }),
)
const entry = z.object({ part: z.string(), event: z.string(), fields: z.record(z.string(), z.unknown()) })

async function entries(person: Person): Promise<z.infer<typeof entry>[]> {
  const lines = z.array(z.string()).parse(await person.json('log', '--lines', '5000'))
  return lines.map((line) => entry.parse(JSON.parse(line)))
}

describe('the log', () => {
  it('tells the way of a connection with what goes over the network and what OpenVPN says, and no secret', async () => {
    const person = await command.person(mock.instance)
    expect((await person.run(['connect', 'internet', '--check'])).status).toBe(0)

    const told = await entries(person)
    const states = told.filter(({ part }) => part === 'connection').map(({ fields }) => fields.state)
    expect(states).toEqual(
      expect.arrayContaining(['discovering', 'authorizing', 'preparing', 'connecting', 'connected']),
    )
    expect(told).toContainEqual({
      part: 'http',
      event: 'exchange',
      fields: expect.objectContaining({ method: 'POST', status: 200 }) as object,
    })
    expect(JSON.stringify(told)).toContain('Initialization Sequence Completed')

    const path = join(person.dataDir, 'logs', 'causeway.log')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const written = `${await readFile(path, 'utf8')}\n${(await person.run(['report'])).stdout}`
    const requests = journal.parse(await (await fetch(`${mock.control}/requests`)).json())
    const sent = requests.flatMap(({ headers, body }) => [headers.authorization ?? '', body ?? ''])
    const secrets = [...sent, await person.secrets()].flatMap(secretWords)
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
    expect(written).not.toContain('-----BEGIN')
    expect(
      written.match(/(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)/g)?.filter((ip) => !ip.startsWith('127.')),
    ).toEqual([])
  })

  it('says with its causes why a command failed', async () => {
    const person = await command.person('http://127.0.0.1:9')
    expect((await person.run(['connect', 'internet'])).status).toBe(4)
    expect(await entries(person)).toContainEqual({
      part: 'command',
      event: 'connect',
      fields: { error: expect.objectContaining({ code: 'http/unreachable' }) as object },
    })
  })

  it('is there to be found', async () => {
    const person = await command.person()
    expect(await person.json('log', '--path')).toEqual({
      path: join(person.dataDir, 'logs', 'causeway.log'),
    })
    const { stdout } = await person.run(['report'])
    for (const heading of ['Versions', 'Settings', 'Findings', 'Log (']) expect(stdout).toContain(heading)
  })

  it('and the next command tell of one that was killed on its way', async () => {
    const person = await command.person(mock.instance)
    // A browser that never comes back keeps the command where it is.
    const running = person.start(['connect', 'internet', '--json'], { env: { CAUSEWAY_BROWSER: 'true' } })
    for await (const line of createInterface({ input: running.stdout })) {
      if (line.includes('authorizing')) break
    }
    const markers = join(person.dataDir, 'running', `${running.pid ?? 0}.json`)
    await expect
      .poll(() => readFile(markers, 'utf8').catch(() => ''), { timeout: 5000 })
      .toContain('authorizing')
    running.kill('SIGKILL')
    await running
    const { stderr, status } = await person.run(['settings', 'list', '--json'])
    expect(status).toBe(0)
    expect(stderr).toContain('"code":"app/ended-unexpectedly"')
    expect((await entries(person)).map(({ event }) => event)).toContain('ended-unexpectedly')
    expect((await person.run(['settings', 'list', '--json'])).stderr).not.toContain('ended-unexpectedly')
  })
})
