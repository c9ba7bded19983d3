import { beforeEach, describe, expect, it } from 'vitest'
import { isNightly } from '../../scripts/nightly-tests'
import { serveMock } from '../test-server'

interface Listed {
  name: string
  part: string
  sentence: string
}

const { client } = await serveMock({ autoApprove: true })
const scenarios = (await (await client.control('GET', '/scenarios')).json()) as Listed[]
beforeEach(() => client.control('POST', '/reset'))

async function summary(): Promise<{ scenario: string; faults: number; now: string }> {
  const response = await client.get('/_mock', { accept: 'application/json' })
  return (await response.json()) as { scenario: string; faults: number; now: string }
}

/** Returns the status of each interface for a new client. */
async function probes(): Promise<number[]> {
  const { accessToken } = await client.logIn()
  const answers = await Promise.all([
    client.get('/info.json'),
    client.call(accessToken, '/profile_list'),
    client.call(accessToken, '/system_messages'),
    client.call(accessToken, '/profile_config?profile_id=internet'),
    client.get('/v2.0.0/attachments/'),
    client.get('/2.3/club'),
    client.get('/2.3/club/item?entryId=1'),
    client.get('/2.3/news/lists'),
    client.get('/api/org'),
    client.get('/api/org/users'),
    client.get('/discovery/server_list.json.minisig'),
  ])
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  return answers.map(({ status }) => status)
}

describe('scenarios', () => {
  it('have unique names in lower-case words, and a sentence each', () => {
    const names = scenarios.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(scenarios.map(({ part }) => part)).size).toBe(7)
    for (const { name, sentence } of scenarios) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(sentence, name).toMatch(/^\S.{10,}\.$/s)
    }
  })

  it('can all be applied, and all-well undoes each', async () => {
    const well = await probes()
    expect(new Set(well.filter((_status, index) => index !== 6))).toEqual(new Set([200]))
    // At night, each by itself.
    const together = isNightly ? 1 : 10
    for (const [index, { name, sentence }] of scenarios.entries()) {
      const response = await client.control('POST', `/scenarios/${name}`)
      const answer = await response.json()
      if (response.status === 409) {
        expect(answer, name).toEqual({
          error: expect.stringMatching(
            /^This scenario cannot be set up here\. Start the mock with --(tunnel|tls)/,
          ) as string,
        })
      } else {
        expect([name, response.status, answer]).toEqual([name, 200, { name, sentence }])
        expect((await summary()).scenario).toBe(name)
      }
      await client.control('POST', '/scenarios/all-well')
      expect([name, await summary()]).toMatchObject([name, { scenario: 'all-well', faults: 0 }])
      const isLast = index % together === 0 || index === scenarios.length - 1
      if (isLast) expect([name, await probes()]).toEqual([name, well])
    }
  })

  it('replace each other, and all faults', async () => {
    await client.control('POST', '/faults', { fault: { status: 418 } })
    await client.control('POST', '/scenarios/server-errors')
    await client.control('POST', '/scenarios/busy')
    const response = await client.get('/info.json')
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await summary()).toMatchObject({ scenario: 'busy', faults: 1 })
  })

  it('can be combined, unless two change the same', async () => {
    const combine = async (...names: string[]) => client.control('POST', '/scenarios', { names })
    expect(await (await combine('login-denied', 'no-attachments', 'many-messages')).json()).toEqual({
      names: ['login-denied', 'no-attachments', 'many-messages'],
    })
    expect(await summary()).toMatchObject({
      scenario: 'login-denied + no-attachments + many-messages',
      scenarios: ['login-denied', 'no-attachments', 'many-messages'],
    })
    expect(await (await client.get('/v2.0.0/attachments/')).json()).toMatchObject({ totalCount: 0 })
    // Both change the situation of the portal, and different things in it.
    expect((await combine('profile-refused', 'key-does-not-fit', 'no-remotes')).status).toBe(200)
    const refused = await combine('login-denied', 'many-messages', 'login-wrong-state')
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: "login-denied and login-wrong-state can't be combined: both change authorize." },
    ])
    expect((await combine('content-down', 'content-slow')).status).toBe(409)
    expect((await combine('content-down', 'nonsense')).status).toBe(404)
    expect((await summary()).scenario).toBe('profile-refused + key-does-not-fit + no-remotes')
    expect((await combine()).status).toBe(200)
    expect((await summary()).scenario).toBe('all-well')
  })

  it('that move the clock move it back, unless it was moved since', async () => {
    const hour = 3600_000
    const ahead = async () => Date.parse((await summary()).now) - Date.now()
    await client.control('POST', '/clock', { advanceSeconds: 3600 })
    await client.control('POST', '/scenarios/wrong-clock-ahead')
    expect(await ahead()).toBeGreaterThan(2 * hour)
    await client.control('POST', '/scenarios/all-well')
    expect(Math.round((await ahead()) / hour)).toBe(1)
    await client.control('POST', '/scenarios/wrong-clock-ahead')
    await client.control('POST', '/clock', { now: new Date(Date.now() + 5 * hour).toISOString() })
    await client.control('POST', '/scenarios/all-well')
    expect(Math.round((await ahead()) / hour)).toBe(5)
  })

  it('that move the clock to the time of the machine leave it there after a reset', async () => {
    await client.control('POST', '/clock', { advanceSeconds: -2 * 86_400 })
    await client.control('POST', '/scenarios/wrong-clock-ahead')
    await client.control('POST', '/reset')
    expect(Math.abs(Date.parse((await summary()).now) - Date.now())).toBeLessThan(3600_000)
  })

  it('that are refused together change nothing, whatever their order', async () => {
    const { accessToken } = await client.logIn()
    const before = Date.parse((await summary()).now)
    const names = ['wrong-clock-ahead', 'login-revoked', 'tls-self-signed']
    const refused = await client.control('POST', '/scenarios', { names })
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('--tls') as string])
    expect(Date.parse((await summary()).now) - before).toBeLessThan(3600_000)
    expect((await client.call(accessToken, '/profile_list')).status).toBe(200)
  })

  it('keep what clients did', async () => {
    const { accessToken } = await client.logIn()
    await client.control('POST', '/scenarios/offline')
    await client.control('POST', '/scenarios/all-well')
    expect((await client.call(accessToken, '/profile_list')).status).toBe(200)
  })

  it('with an unknown name are answered 404 with the nearest names', async () => {
    const response = await client.control('POST', '/scenarios/expired-certificat')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: expect.stringContaining('expired-certificate') as string })
    expect((await client.control('POST', '/scenarios/__proto__')).status).toBe(404)
  })
})

it.each([
  ['flaky-network', 'resets every third connection', [200, 200, 'reset', 200, 200, 'reset']],
  ['offline', 'resets every connection', ['reset', 'reset']],
  ['server-errors', 'answers 500 to every request', [500, 500]],
])('%s %s', async (name, _effect, expected) => {
  await client.control('POST', `/scenarios/${name}`)
  const outcomes: unknown[] = []
  while (outcomes.length < expected.length) {
    outcomes.push(
      await client.get('/info.json').then(
        ({ status }) => status,
        () => 'reset',
      ),
    )
  }
  expect(outcomes).toEqual(expected)
})

it('suggests names with words in common', async () => {
  const suggested = async (name: string) =>
    ((await (await client.control('POST', `/scenarios/${name}`)).json()) as { error: string }).error
  expect(await suggested('expired-certifcate')).toMatch(/Did you mean .*\bexpired-certificate/)
  expect(await suggested('network')).toContain('slow-network')
  expect(await suggested('x'.repeat(199))).not.toContain('Did you mean')
})
