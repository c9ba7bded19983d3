import type { ErrorReport } from '../../../contract/error-codes'
import { expect, it } from 'vitest'
import { MemorySecretStore } from './portal.testing'
import { createTokenStore } from './token-store'
import { testReporter } from '../../reporter.testing'

const origins = { token: 'https://vpn.example.org', api: 'https://vpn.example.org' }
const tokens = {
  apiVersion: 2 as const,
  login: 'one',
  origins,
  loggedInAt: 1,
  refreshes: 0,
  accessToken: 'a',
  refreshToken: 'r',
  expiresAt: 2,
  obtainedAt: 1,
}
const other = {
  apiVersion: 2 as const,
  login: 'two',
  origins,
  loggedInAt: 1,
  refreshes: 0,
  accessToken: 'b',
  obtainedAt: 1,
}

it('keeps the tokens of each instance apart, and only in the key store', async () => {
  const secretStore = new MemorySecretStore()
  const [one, two] = ['vpn.example.org', 'vpn.example.org/two'].map((instanceId) =>
    createTokenStore({ secretStore, instanceId, reporter: testReporter() }),
  )
  await one?.write(tokens)
  await two?.write(other)
  expect(await one?.read()).toEqual(tokens)
  expect(await two?.read()).toEqual(other)
  await one?.delete()
  expect(await one?.read()).toBeUndefined()
  expect([...secretStore.secrets.keys()]).toEqual(['tokens:vpn.example.org/two'])
})

it.each(['', 'no JSON', '[]', '{"accessToken": 7, "obtainedAt": 1}', '{"accessToken": "a"}'])(
  'takes a damaged value for none, and says so once: %j',
  async (value) => {
    const secretStore = new MemorySecretStore()
    secretStore.secrets.set('tokens:x', value)
    const notices: ErrorReport[] = []
    const reporter = testReporter({ notice: (notice) => notices.push(notice) })
    const store = createTokenStore({ secretStore, instanceId: 'x', reporter })
    expect(await store.read()).toBeUndefined()
    expect(await store.read()).toBeUndefined()
    expect(notices).toMatchObject([{ code: 'data/damaged', details: { instance: 'x' } }])
    await store.write(tokens)
    expect(await store.read()).toEqual(tokens)
  },
)

it.each(['apiVersion', 'login', 'origins', 'loggedInAt', 'refreshes'])(
  'refuses tokens without %s',
  async (name) => {
    const secretStore = new MemorySecretStore()
    const reporter = testReporter({ notice: () => undefined })
    const store = createTokenStore({ secretStore, instanceId: 'x', reporter })
    await store.write(tokens)
    expect(await store.read()).toEqual(tokens)
    secretStore.secrets.set('tokens:x', JSON.stringify({ ...tokens, [name]: undefined }))
    expect(await store.read()).toBeUndefined()
  },
)

it('remembers a login that has ended, without its tokens, until it is deleted', async () => {
  const secretStore = new MemorySecretStore()
  const store = createTokenStore({ secretStore, instanceId: 'x', reporter: testReporter() })
  expect(await store.hasBeenUsed()).toBe(false)
  await store.write(tokens)
  await store.end()
  expect([await store.read(), await store.hasBeenUsed()]).toEqual([undefined, true])
  expect([...secretStore.secrets.values()]).toEqual(['{"ended":true}'])
  await store.delete()
  expect(await store.hasBeenUsed()).toBe(false)
})
