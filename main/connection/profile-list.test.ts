import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createProfileChoices, createTargetList, type TargetList } from './profile-list'
import { testReporter } from '../reporter.testing'

let dataDirectory: string
let last: TargetList

function open(): TargetList {
  return createTargetList({
    dataDirectory,
    name: 'last-connections',
    limit: 3,
    now: () => new Date(0),
    registerForget: () => undefined,
  })
}

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-last-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  last = open()
})

const internet = { instanceId: 'a.example.org', profileId: 'internet' }
const office = { instanceId: 'a.example.org', profileId: 'office' }
const other = { instanceId: 'b.example.org', profileId: 'internet' }

it('keeps each profile once, the newest first, for the next start', async () => {
  for (const target of [internet, other, office]) await last.put(target)
  expect(await open().all()).toEqual([office, other, internet])
  await last.put(other)
  expect(await open().all()).toEqual([other, office, internet])
})

it('drops the oldest profile when it is full', async () => {
  const newest = { instanceId: 'c.example.org', profileId: 'lab' }
  for (const target of [internet, office, other, newest]) await last.put(target)
  expect(await last.all()).toEqual([newest, other, office])
})

it('forgets a profile that is gone, and with an instance all of it', async () => {
  await last.put(internet)
  await last.put(other)
  await last.remove(office)
  expect(await last.all()).toEqual([other, internet])
  await last.remove(other)
  expect(await last.all()).toEqual([internet])
  await last.removeInstance('a.example.org')
  expect(await open().all()).toEqual([])
})

it('notifies and writes only on changes', async () => {
  const received: unknown[] = []
  last.onChange((all) => received.push(all))
  await last.put(internet)
  const { ino, mtimeMs } = await stat(join(dataDirectory, 'last-connections.json'))
  await last.put(internet)
  await last.removeInstance('unknown.example.org')
  expect(received).toEqual([[internet]])
  expect(await stat(join(dataDirectory, 'last-connections.json'))).toMatchObject({ ino, mtimeMs })
})

it('keeps what another process has stored', async () => {
  await last.all()
  await open().put(other)
  await last.put(internet)
  expect(await last.all()).toEqual([internet, other])
})

it('moves a damaged file away and starts empty', async () => {
  const path = join(dataDirectory, 'last-connections.json')
  await writeFile(path, '{"version":1,"data":{"connections":[{"instanceId":7}]}}')
  expect(await last.all()).toEqual([])
  expect(await readFile(`${path}.corrupt-1970-01-01T00-00-00.000Z`, 'utf8')).toContain('instanceId')
})

it('keeps what is chosen for a profile for every process, until the instance is forgotten', async () => {
  const forgets: ((instanceId: string) => Promise<void>)[] = []
  const create = () =>
    createProfileChoices({
      dataDirectory,
      now: () => new Date(0),
      registerForget: (forget) => forgets.push(forget),
      reporter: testReporter(),
    })
  const choices = create()
  const changes: number[] = []
  choices.onChange((all) => changes.push(all.length))
  const office = { instanceId: 'vpn.example.org', profileId: 'office' }
  expect(await choices.of(office)).toBeUndefined()
  await choices.choose(office)
  expect(await choices.of(office), 'nothing is chosen').toBeUndefined()
  await choices.choose({ ...office, protocol: 'wireguard', tcpOnly: true })
  await choices.choose({ ...office, profileId: 'internet', protocol: 'openvpn', tcpOnly: false })
  expect(await create().of(office)).toEqual({ ...office, protocol: 'wireguard', tcpOnly: true })
  await choices.choose({ ...office, appsMode: 'only' })
  await choices.choose({ ...office, protocol: 'auto', tcpOnly: false })
  expect(await choices.of(office)).toEqual({ ...office, protocol: 'auto', tcpOnly: false, appsMode: 'only' })
  await choices.choose({ ...office, appsMode: undefined })
  expect(await choices.of(office)).toBeUndefined()
  await forgets[0]?.('vpn.example.org')
  expect(await choices.all()).toEqual([])
  expect(changes).toEqual([1, 2, 2, 2, 1, 0])
})
