import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { MockServer } from '../server'
import { temporaryDirectory } from '../storage/test-storage'
import { TestAttachments } from './test-attachments'

function directoryForTest(): string {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  return directory
}

async function startProcess(dataDir: string): Promise<{ service: TestAttachments; child: ChildProcess }> {
  const parameters = ['--import', 'tsx', 'mock-server/cli.ts', '--port', '0', '--data-dir', dataDir, '--json']
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 30_000 })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { service: new TestAttachments(JSON.parse(line) as MockServer), child }
}

it('attachments and files are there after a restart, with a data directory', async () => {
  const dataDir = directoryForTest()
  const first = await TestAttachments.start({ dataDir })
  const id = await first.upload('lasting')
  const link = { type: 'EXTERNAL', title: 'Lasting', url: 'https://www.example.org/' }
  await first.call('POST', '/', { body: link })
  const deleted = await first.upload('gone')
  await first.call('DELETE', `/${deleted}`)
  const { id: awaited, url } = await first.announce()
  const { totalCount } = await first.list()
  await first.server.close()

  const second = await TestAttachments.start({ dataDir })
  onTestFinished(() => second.server.close())
  expect((await second.list()).totalCount).toBe(totalCount)
  expect(await (await fetch((await second.get(id)).body.url)).text()).toBe('lasting')
  expect((await second.get(deleted)).status).toBe(404)
  const movedUrl = url.replace(first.server.origin, second.server.origin)
  expect((await fetch(movedUrl, { method: 'PUT', body: 'signed before the restart' })).status).toBe(200)
  expect((await second.get(awaited)).status).toBe(200)
  expect(await second.one(({ title }) => title === 'Lasting')).toMatchObject(link)
  expect(readdirSync(join(dataDir, 'objects'))).toHaveLength(2)
})

it('an upload that was acknowledged before a kill completes after it, though its notification was held back', async () => {
  const dataDir = directoryForTest()
  const first = await startProcess(dataDir)
  await first.service.control('POST', '/uploads/notify', { hold: true })
  const id = await first.service.upload('acknowledged')
  expect((await first.service.get(id)).status).toBe(404)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const second = await startProcess(dataDir)
  const { status, body } = await second.service.get(id)
  expect([status, body.status]).toEqual([200, 'COMPLETED'])
  expect(await (await fetch(body.url)).text()).toBe('acknowledged')
}, 30_000)

it('an upload that a kill cuts off leaves nothing, and can be made again', async () => {
  const dataDir = directoryForTest()
  const first = await startProcess(dataDir)
  await first.service.control('POST', '/storage', { uploadBytesPerSecond: 10 })
  const { id, url } = await first.service.announce()
  const upload = fetch(url, { method: 'PUT', body: 'x'.repeat(1000) }).catch(() => 'cut off')
  await expect
    .poll(() => existsSync(join(dataDir, 'objects')) && readdirSync(join(dataDir, 'objects')))
    .toHaveLength(1)
  first.child.kill('SIGKILL')
  expect(await upload).toBe('cut off')

  const second = await startProcess(dataDir)
  expect(readdirSync(join(dataDir, 'objects'))).toEqual([])
  const { url: again } = await second.service.one((attachment) => attachment.id === id)
  expect((await fetch(again, { method: 'PUT', body: 'whole' })).status).toBe(200)
  expect(await (await fetch((await second.service.get(id)).body.url)).text()).toBe('whole')
}, 30_000)

it('without a data directory nothing is left behind', async () => {
  const first = await TestAttachments.start()
  const id = await first.upload('fleeting')
  await first.server.close()
  const second = await TestAttachments.start()
  onTestFinished(() => second.server.close())
  expect((await second.get(id)).status).toBe(404)
})

it('the same seed and the same calls give the same ids and answers, before and after a reset', async () => {
  const run = async (service: TestAttachments) => {
    const answers: unknown[] = [await service.list('?pageSize=100')]
    const link = { type: 'EXTERNAL', title: 'x', url: 'https://www.example.org/' }
    const { body } = await service.call<{ id: string }>('POST', '/', { body: link })
    const file = { type: 'INTERNAL', title: 'y', extension: 'txt' }
    const { url } = (await service.call<{ url: string }>('POST', '/', { body: file })).body
    const uploaded = await fetch(url, { method: 'PUT', body: 'content' })
    answers.push(body, url, uploaded.status, uploaded.headers.get('etag'))
    answers.push(await service.call('PATCH', `/${body.id}`, { body: { type: 'INTERNAL', extension: 'pdf' } }))
    answers.push(await service.list('?pageSize=100'), await service.uploads())
    // The ports differ, and with a reset the secret that signs does: neither is an answer of the service.
    return JSON.stringify(answers).replaceAll(service.server.origin, 'http://mock')
  }
  const [one, other] = [await TestAttachments.start(), await TestAttachments.start()]
  onTestFinished(async () => {
    await one.server.close()
    await other.server.close()
  })
  const first = await run(one)
  expect(await run(other)).toBe(first)
  await one.control('POST', '/reset')
  const unsigned = (text: string) => text.replaceAll(/signature=[0-9a-f]{64}/g, 'signature=')
  const again = await run(one)
  expect(again).not.toBe(first)
  expect(unsigned(again)).toBe(unsigned(first))
})
