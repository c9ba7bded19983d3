import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { Windows } from './computer'
import { Person } from './person'

const windows = new Windows()
let mock: MockServer

beforeAll(async () => {
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
  await windows.startService()
  return () => mock.close()
})

it('finds everything that Causeway needs', async () => {
  const person = await Person.make(windows)
  expect(await person.json('doctor')).toMatchObject([
    {
      name: 'openvpn',
      code: 'openvpn-found',
      facts: { path: 'C:\\Program Files\\OpenVPN\\bin\\openvpn.exe' },
    },
    { name: 'rights', code: 'rights-of-service' },
    { name: 'service', code: 'service-ready' },
    { name: 'key-store', code: 'key-store-ready' },
    { name: 'updates' },
  ])
})

it('reports a stopped service', async () => {
  const person = await Person.make(windows)
  await windows.stopService()
  const findings = await person.json('doctor')
  await windows.startService()
  expect(findings).toContainEqual(expect.objectContaining({ name: 'service', code: 'service-stopped' }))
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

it('checks a connection, in a folder with letters of other scripts', async () => {
  const person = await Person.make(windows, 'Jürgen Müller 例え Дані')
  await person.logIn(mock.instance)
  const { status, stdout, stderr } = await person.run('connect', 'internet', '--check', '--json')
  expect(stderr).toBe('')
  expect(stdout).toContain('"connected"')
  expect(status).toBe(0)
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
