import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createLastConnections, type LastConnections } from './last-connections'

let dataDirectory: string
let last: LastConnections

function open(): LastConnections {
  return createLastConnections({ dataDirectory, now: () => new Date(0), registerForget: () => undefined })
}

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-last-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  last = open()
})

const internet = { instanceId: 'a.example.org', profileId: 'internet' }
const office = { instanceId: 'a.example.org', profileId: 'office' }
const other = { instanceId: 'b.example.org', profileId: 'internet' }

it('keeps one profile an instance, the newest instance first, for the next start', async () => {
  for (const target of [internet, other, office]) await last.remember(target)
  expect(await open().all()).toEqual([office, other])
  await last.remember(other)
  expect(await open().all()).toEqual([other, office])
})

it('forgets a profile that is gone, and with an instance all of it', async () => {
  await last.remember(internet)
  await last.remember(other)
  await last.forgetProfile(office)
  expect(await last.all()).toEqual([other, internet])
  await last.forgetProfile(other)
  expect(await last.all()).toEqual([internet])
  await last.forgetInstance('a.example.org')
  expect(await open().all()).toEqual([])
})

it('tells of changes, and writes only what changes', async () => {
  const told: unknown[] = []
  last.onChange((all) => told.push(all))
  await last.remember(internet)
  const { ino, mtimeMs } = await stat(join(dataDirectory, 'last-connections.json'))
  await last.remember(internet)
  await last.forgetInstance('unknown.example.org')
  expect(told).toEqual([[internet]])
  expect(await stat(join(dataDirectory, 'last-connections.json'))).toMatchObject({ ino, mtimeMs })
})

it('keeps what another process has remembered meanwhile', async () => {
  await last.all()
  await open().remember(other)
  await last.remember(internet)
  expect(await last.all()).toEqual([internet, other])
})

it('sets a damaged file aside and goes on without', async () => {
  const path = join(dataDirectory, 'last-connections.json')
  await writeFile(path, '{"version":1,"data":{"connections":[{"instanceId":7}]}}')
  expect(await last.all()).toEqual([])
  expect(await readFile(`${path}.corrupt-1970-01-01T00-00-00.000Z`, 'utf8')).toContain('instanceId')
})
