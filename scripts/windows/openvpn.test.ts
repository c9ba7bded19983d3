import { beforeAll, expect, it } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import type { MockServer } from '../../mock-server/server'
import { Windows } from './computer'
import { Person } from './person'

const windows = new Windows()
let mock: MockServer

beforeAll(async () => {
  mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true })
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
    { name: 'wireguard', code: 'wireguard-service-missing' },
    { name: 'service', code: 'service-ready' },
    { name: 'disk', code: 'disk-ready' },
    { name: 'clock', code: 'clock-plausible' },
    { name: 'key-store', code: 'key-store-ready' },
    { name: 'proxy', code: 'proxy-none' },
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

it('checks a connection, in a folder with letters of other scripts', async () => {
  const person = await Person.make(windows, 'Jürgen Müller 例え Дані')
  await person.logIn(mock.instance)
  const { status, stdout, stderr } = await person.run('connect', 'internet', '--check', '--json')
  expect(stderr).toBe('')
  expect(stdout).toContain('"connected"')
  expect(status).toBe(0)
})
