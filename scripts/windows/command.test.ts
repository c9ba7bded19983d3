import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import type { MockServer } from '../../mock-server/server'
import { Windows } from './computer'
import { Person } from './person'

const windows = new Windows()
let mock: MockServer

beforeAll(async () => {
  mock = await startTestMock({ autoApprove: true })
  return () => mock.close()
})

it('names neither a helper to install nor a kill switch to lift, which Windows does not have', async () => {
  const person = await Person.make(windows)
  expect(await person.json('helper', 'status')).toEqual({ helper: 'not-needed' })
  expect(await person.json('connect', '--release')).toEqual({ killSwitch: 'none' })
})

it('logs in, keeps the tokens in the Credential Manager alone, and forgets them', async () => {
  const person = await Person.make(windows)
  await person.logIn(mock.instance)
  expect(await windows.files(person.dataDir)).not.toContain('secrets.json')
  expect(await windows.credentials()).toMatch(/causeway/i)
  expect(await person.json('profile', 'list', '--no-login')).toMatchObject([
    { profileId: 'internet' },
    { profileId: 'office' },
  ])
  await person.json('logout')
  expect((await person.run('profile', 'list', '--no-login')).status).toBe(3)
})

it('keeps every setting of processes that write at the same time', async () => {
  const person = await Person.make(windows, 'Einstellungen ß')
  const wanted = {
    theme: 'dark',
    remoteStrategy: '2',
    preferTcp: 'true',
    reconnect: 'false',
    closeToTray: 'false',
    notifications: 'false',
  }
  const statuses = await Promise.all(
    Object.entries(wanted).map(
      async ([name, value]) => (await person.run('settings', 'set', name, value)).status,
    ),
  )
  expect(statuses).toEqual(Object.keys(wanted).map(() => 0))
  const { stdout } = await person.run('settings', 'list')
  for (const [name, value] of Object.entries(wanted))
    expect(stdout).toMatch(new RegExp(`^${name} +${value} `, 'm'))
  expect((await windows.files(person.dataDir)).filter((name) => name !== 'logs')).toEqual(['settings.json'])
})

/** Has a file open until somebody is about to replace it, and half a second longer. */
const holder = `const { openSync, readdirSync } = require('node:fs')
const [, file] = process.argv
openSync(file)
console.log('open')
const timer = setInterval(() => {
  if (!readdirSync(file + '/..').some((name) => /^settings\\.json\\.\\d+$/.test(name))) return
  clearInterval(timer)
  setTimeout(process.exit, 500)
}, 5)`

it('replaces a file that another program has open for a moment', async () => {
  const person = await Person.make(windows)
  await person.json('settings', 'set', 'theme', 'dark')
  const other = await windows.node(['-e', holder, `${person.dataDir}\\settings.json`])
  await expect.poll(() => other.stdout()).toContain('open')
  const { status, stderr } = await person.run('settings', 'set', 'theme', 'light')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(await other.ended).toMatchObject({ status: 0 })
  expect((await person.run('settings', 'get', 'theme')).stdout.trim()).toBe('light')
})

it('follows the policy in the registry, and refuses a value that is no text', async () => {
  const person = await Person.make(windows)
  const key = 'HKLM\\SOFTWARE\\Policies\\Causeway'
  const set = (...value: readonly string[]) => windows.wine('reg', 'add', key, '/v', 'Policy', ...value, '/f')
  onTestFinished(() => windows.wine('reg', 'delete', key, '/f'))
  await set('/d', '{"settings": {"preferTcp": true}}')
  expect((await person.run('settings', 'get', 'preferTcp')).stdout.trim()).toBe('true')
  await set('/t', 'REG_DWORD', '/d', '1')
  const { status, stderr } = await person.run('settings', 'get', 'preferTcp', '--json')
  expect(status).toBe(1)
  expect(stderr).toContain('policy/unusable')
})
