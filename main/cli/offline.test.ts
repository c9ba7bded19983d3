import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { BuiltCommand, type Person } from './causeway.testing'

/** One read of each service. */
const reads = [
  ['profile', 'list'],
  ['message', 'list'],
  ['attachment', 'list', '--page-size', '30'],
  ['content', 'club', '--count', '5'],
  ['organization', 'show'],
] as const

let command: BuiltCommand
let mock: MockServer
let person: Person
/** The answers while the services were reachable. */
let output: unknown[]

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await startTestMock({ autoApprove: true })
  person = await command.person(mock.instance)
  await person.json('login')
  output = await Promise.all(reads.map((read) => person.json(...read)))
  await mock.close()
})
afterAll(() => command.remove())

describe('a service that cannot be reached', () => {
  it.each(reads.map((read, at) => ({ name: read.join(' '), read, at })))(
    'fails $name, and prints cached data with --offline',
    async ({ read, at }) => {
      const [failure, { stdout, stderr, status }] = await Promise.all([
        person.run([...read, '--json']),
        person.run([...read, '--json', '--offline']),
      ])
      expect(failure).toMatchObject({ status: 4, stdout: '' })
      expect(JSON.parse(failure.stderr.split('\n')[0] ?? '')).toMatchObject({
        error: {
          code: 'http/unreachable',
          details: { seenAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown },
        },
      })
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toEqual(withoutFileAddresses(output[at]))
      expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
        notice: {
          code: 'http/unreachable',
          message: expect.stringMatching(/^This data was last updated \d{4}-/) as unknown,
        },
      })
    },
  )

  it('fails a read that is not in the cache', async () => {
    const failure = await person.run(['content', 'search', 'never', '--json', '--offline'])
    expect(failure).toMatchObject({ status: 4, stdout: '' })
    expect(failure.stderr).not.toContain('seenAt')
  })

  it('does not show cached data of another identity', async () => {
    await person.json('instance', 'set', '--user-id', 'another', '--roles', 'MEMBER')
    expect(await person.run(['attachment', 'list', '--page-size', '30', '--offline'])).toMatchObject({
      status: 4,
    })
    await person.json('instance', 'set', '--user-id', '', '--roles', '')
    expect(await person.run(['attachment', 'list', '--page-size', '30', '--offline'])).toMatchObject({
      status: 0,
    })
  })

  it('has no cached data after a logout', async () => {
    await person.json('logout')
    expect(await readdir(join(person.dataDir, 'seen'))).toEqual([])
    expect(await person.run(['content', 'club', '--count', '5', '--offline'])).toMatchObject({ status: 4 })
  })
})

/** Removes the URLs of files, which give access and are not cached. */
function withoutFileAddresses(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'type' in each && each.type === 'INTERNAL'
      ? { ...each, url: '' }
      : each,
  )
}
