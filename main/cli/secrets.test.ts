import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { BuiltCommand, secretWords } from './causeway.testing'

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
const kept = z.object({ data: z.record(z.string(), z.string()) })

it.each([[['--verbose']], [['--verbose', '--json']]])(
  'nothing secret is printed, not even with %j',
  async (how) => {
    const person = await command.person(mock.instance)
    let said = ''
    for (const args of [
      ['login'],
      ['profile', 'list'],
      ['profile', 'config', 'internet'],
      ['connect', 'internet', '--check'],
      ['certificate', 'show'],
      ['doctor'],
    ]) {
      const { status, stdout, stderr } = await person.run([...args, ...how])
      expect(status).toBe(0)
      said += `${stdout}\n${stderr}\n`
    }
    expect(said).toContain('Initialization Sequence Completed')

    const requests = journal.parse(await (await fetch(`${mock.control}/requests`)).json())
    const sent = requests.flatMap(({ headers, body }) => [headers.authorization ?? '', body ?? ''])
    const { data } = kept.parse(JSON.parse(await person.secrets()))
    const held = Object.values(data).map((value) => value.replaceAll('\\n', '\n'))
    // No secret: the certificate, and what of the key is in it, which is the public part.
    const shown = /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/.exec(held.join('\n'))?.[0] ?? ''
    const secrets = [...sent, ...held].flatMap(secretWords).filter((word) => !shown.includes(word))
    expect(held.join('\n')).toContain('PRIVATE KEY')
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
    expect(said).not.toContain('PRIVATE KEY')
  },
)
