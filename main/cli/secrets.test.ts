import { expect, it } from 'vitest'
import { z } from 'zod'
import { secretWords, startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock()

const journal = z.array(
  z.object({ headers: z.object({ authorization: z.string().optional() }), body: z.string().nullable() }),
)
const kept = z.object({ data: z.record(z.string(), z.string()) })

it.each([[['--verbose']], [['--verbose', '--json']]])('prints no secrets, even with %j', async (how) => {
  const person = await command.person(mock.instance)
  let output = ''
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
    output += `${stdout}\n${stderr}\n`
  }
  expect(output).toContain('Initialization Sequence Completed')

  const requests = journal.parse(await (await fetch(`${mock.control}/requests`)).json())
  const sent = requests.flatMap(({ headers, body }) => [headers.authorization ?? '', body ?? ''])
  const { data } = kept.parse(JSON.parse(await person.secrets()))
  const held = Object.values(data).map((value) => value.replaceAll('\\n', '\n'))
  // The certificate with its public key is not secret.
  const shown = /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/.exec(held.join('\n'))?.[0] ?? ''
  const secrets = [...sent, ...held].flatMap(secretWords).filter((word) => !shown.includes(word))
  expect(held.join('\n')).toContain('PRIVATE KEY')
  expect(secrets.length).toBeGreaterThan(5)
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
  expect(output).not.toContain('PRIVATE KEY')
})
