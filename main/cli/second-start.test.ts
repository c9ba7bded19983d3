import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { BuiltCommand, failingBrowser, type Person } from './causeway.testing'
import { isSlowRun } from '../../scripts/nightly-tests'
import { rows } from '../../scripts/slow.testing'

/**
 * Every test runs its command as the first thing of a new process, for a person who signed in and got a certificate before. What
 * a command needs must not depend on what another one has loaded: reading a certificate once broke TLS for the rest of the
 * process, unless a connection had loaded it earlier.
 */
const apis = rows(['2', '3', '2,3'] as const, 2)
type Api = (typeof apis)[number]

let command: BuiltCommand
let person: Person
const mocks = new Map<Api, MockServer>()
const hostOf = (api: Api): string => new URL(mocks.get(api)?.instance ?? '').host

beforeAll(async () => {
  command = await BuiltCommand.make({ ownProcesses: true })
  person = await command.person()
  for (const api of apis) {
    const mock = await startTestMock({ api, autoApprove: true })
    mocks.set(api, mock)
    expect(mock.instance).toMatch(/^https:/)
    await person.json('instance', 'add', mock.instance)
    await person.json('login', hostOf(api))
    await person.json('profile', 'config', 'internet', '--instance', hostOf(api))
  }
})
afterAll(async () => {
  await Promise.all([...mocks.values()].map((mock) => mock.close()))
  await command.remove()
})

/** The commands that ask a portal, or read what is stored of it; `HOST` stands for the service. */
const reads: readonly (readonly string[])[] = [
  ['instance', 'show', 'HOST'],
  ['profile', 'list', 'HOST'],
]
/** These ask other services, which have no versions. */
const ofOtherServices: typeof reads = [
  ['attachment', 'list', '--instance', 'HOST'],
  ['content', 'club', '--instance', 'HOST'],
  ['organization', 'show', '--instance', 'HOST'],
]
const ofVersion2 = [
  ['certificate', 'show', 'HOST'],
  ['certificate', 'check', 'HOST'],
] as const
const messages = ['message', 'list', 'HOST'] as const

describe.each(apis)('the first command of a new process, with a service of version %s', (api) => {
  const all = [
    ...reads,
    ...(api === '3' ? [] : [messages]),
    ...(api === '2' || isSlowRun ? ofOtherServices : []),
    ...(api === '2' ? ofVersion2 : []),
  ]
  it.each(all.map((words) => [words.join(' '), words] as const))('%s', async (_name, words) => {
    const args = words.map((word) => (word === 'HOST' ? hostOf(api) : word))
    expect(
      await person.run([...args, '--json', '--no-login'], { env: { CAUSEWAY_BROWSER: failingBrowser } }),
    ).toMatchObject({ status: 0 })
  })

  it('login --renew', async () => {
    expect(await person.run(['login', hostOf(api), '--renew', '--json'])).toMatchObject({ status: 0 })
  })
})

it.each([[['instance', 'list']], [['status']], [['discover', 'mock']]])(
  'the first command of a new process, for all services: %j',
  async (words) => {
    const { url = '', key = '' } = mocks.get('2')?.discovery ?? {}
    const outcome = await person.run([...words, '--json'], {
      env: { CAUSEWAY_DISCOVERY: url, CAUSEWAY_DISCOVERY_KEY: key },
    })
    expect(outcome).toMatchObject({ status: 0 })
  },
)
