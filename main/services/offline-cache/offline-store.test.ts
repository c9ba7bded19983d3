import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { endpointsName } from './answer-path'
import { recordingHttp } from './offline-http'
import { createOfflineStore, type OfflineStore, type OfflineStoreOptions } from './offline-store'
import { testReporter } from '../../reporter.testing'

const ours = 'vpn.example.org'
const other = 'other.example.org'
let folder: string
let failures: unknown[]
let time: number

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-offline-'))
  folder = join(dataDir, 'seen')
  failures = []
  time = 1_700_000_000_000
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
})

function open(limits: Partial<OfflineStoreOptions> = {}): OfflineStore {
  return createOfflineStore({
    folder,
    now: () => new Date(time),
    reporter: testReporter({ failure: (_event, error) => failures.push(error) }),
    registerForget: () => undefined,
    ...limits,
  })
}

async function files(): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

it('returns the last answer and its time, also after a restart', async () => {
  const store = open()
  store.remember(ours, 'list', '{"a":1}')
  time += 1000
  store.remember(ours, 'list', '{"a":2}')
  await store.written()
  expect(await open().find(ours, 'list')).toMatchObject({ json: '{"a":2}', cachedAt: time })
  expect(await store.find(ours, 'another')).toBeUndefined()
  expect(await store.find(other, 'list')).toBeUndefined()
  expect(failures).toEqual([])
})

it('writes an answer that only has to be there if it is missing or another one', async () => {
  const store = open()
  const remember = async (json: string): Promise<unknown> => {
    time += 1000
    store.remember(ours, 'list', json, { unlessStored: true })
    await store.written()
    return store.find(ours, 'list')
  }
  const first = time + 1000
  expect(await remember('{"a":1}')).toMatchObject({ json: '{"a":1}', cachedAt: first })
  expect(await remember('{"a":1}')).toMatchObject({ json: '{"a":1}', cachedAt: first })
  expect(await remember('{"a":2}')).toMatchObject({ json: '{"a":2}', cachedAt: time })
  await open().forget(ours)
  expect(await remember('{"a":2}'), 'after another process removed it').toMatchObject({ cachedAt: time })
})

it.skipIf(process.platform === 'win32')('does not wait for a pipe in place of a file', async () => {
  const store = open()
  store.remember(ours, 'list', '{"a":1}')
  await store.written()
  const [path = ''] = await files()
  await rm(path)
  await execa('mkfifo', [path])
  expect(await store.find(ours, 'list')).toBeUndefined()
  expect(failures).toMatchObject([{ code: 'not-a-file' }])
})

it.skipIf(process.platform === 'win32')('makes files private, and hides requests in file names', async () => {
  const store = open()
  store.remember(ours, 'https://vpn.example.org/search?q=confidential', '[]')
  await store.written()
  const [path = ''] = await files()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect(path + (await readFile(path, 'utf8'))).not.toMatch(/confidential|example/)
})

it('forgets one answer, or all of one instance', async () => {
  const store = open()
  for (const instance of [ours, other]) {
    store.remember(instance, 'one', '1')
    store.remember(instance, 'two', '2')
  }
  await store.forget(ours, 'one')
  expect(await store.find(ours, 'one')).toBeUndefined()
  expect(await store.find(ours, 'two')).toBeDefined()
  await store.forget(ours)
  expect(await store.find(ours, 'two')).toBeUndefined()
  expect(await store.find(other, 'two')).toBeDefined()
  await store.forget('never.example.org')
})

it('says which answers it could not forget', async () => {
  await writeFile(folder, 'in the way')
  await expect(open().forget(ours, 'one')).rejects.toMatchObject({
    code: 'data/unwritable',
    details: { path: expect.stringContaining(folder) as string, reason: 'ENOTDIR' },
  })
})

it('forgets answers that are still being written', async () => {
  const store = open()
  for (let n = 0; n < 20; n += 1) store.remember(ours, `list ${n}`, '[]')
  await store.forget(ours)
  await store.written()
  expect(await files()).toEqual([])
})

it.each([
  '',
  'nonsense',
  '{"version":1,"cachedAt":"yesterday","json":"[]"}',
  '{"version":2,"cachedAt":1,"json":"[]"}',
])('deletes a file that contains %j, and continues', async (text) => {
  const store = open()
  store.remember(ours, 'list', '[]')
  await store.written()
  const [path = ''] = await files()
  await writeFile(path, text)
  expect(await store.find(ours, 'list')).toBeUndefined()
  expect(await files()).toEqual([])
  store.remember(ours, 'list', '[1]')
  await store.written()
  expect(await store.find(ours, 'list')).toMatchObject({ json: '[1]' })
})

it.each([true, false])(
  'stores no answer that was on its way while another process forgot the instance (stored before: %s)',
  async (isStored) => {
    const store = open()
    if (isStored) store.remember(ours, 'list', '[]')
    await store.written()
    const url = new URL('https://vpn.example.org/list')
    const http = {
      send: async () => {
        const process = open()
        await process.forget(ours)
        process.remember(ours, 'of the next person', '[2]')
        await process.written()
        return { url, status: 200, headers: new Headers(), text: '[1]' }
      },
    }
    const recording = recordingHttp(http, store, ours)
    await recording.send(url)
    recording.keep()
    await store.written()
    const [only, ...others] = await files()
    expect(others).toEqual([])
    expect(await readFile(only ?? '', 'utf8')).toContain('[2]')
  },
)

it('removes the oldest answers above the limit', async () => {
  const store = open({ maxEntries: 5 })
  for (let n = 0; n < 20; n += 1) store.remember(ours, `old ${n}`, '[]')
  await store.written()
  for (const path of await files()) await utimes(path, new Date(0), new Date(0))
  store.remember(other, 'new', '[]')
  await store.written()
  expect(await files()).toHaveLength(5)
  expect(await store.find(other, 'new')).toBeDefined()
})

it('removes the endpoints of an instance last, and keeps no more of them than the limit', async () => {
  const store = open({ maxEntries: 5 })
  store.remember(ours, endpointsName, '{}')
  await store.written()
  for (const path of await files()) await utimes(path, new Date(0), new Date(0))
  for (let n = 0; n < 41; n += 1) store.remember(ours, `new ${n}`, '[]')
  await store.written()
  expect(await store.find(ours, endpointsName)).toBeDefined()
  for (let n = 0; n < 41; n += 1) store.remember(`${n}.example.org`, endpointsName, '{}')
  await store.written()
  expect((await files()).length).toBeLessThanOrEqual(5 + 20)
})

it('limits the total size and the length of an answer', async () => {
  const store = open({ maxBytes: 1000, maxLength: 500 })
  store.remember(ours, 'too long', JSON.stringify('x'.repeat(500)))
  for (let n = 0; n < 21; n += 1) store.remember(ours, `${n}`, JSON.stringify('x'.repeat(300)))
  await store.written()
  const sizes = await Promise.all((await files()).map(async (path) => (await stat(path)).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1000)
  expect(sizes.length).toBeGreaterThan(0)
})

it('reports write errors without failing the caller', async () => {
  await mkdir(join(folder, '..'), { recursive: true })
  await writeFile(folder, 'in the way')
  const store = open()
  store.remember(ours, 'list', '[]')
  await store.written()
  expect(failures).toHaveLength(1)
})
