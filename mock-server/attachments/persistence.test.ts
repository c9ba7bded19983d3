import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../storage/storage.testing'
import { startMockProcess } from '../test-process'
import { TestAttachments } from './attachments.testing'

function directoryForTest(): string {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  return directory
}

async function startProcess(dataDir: string): Promise<{ service: TestAttachments; child: ChildProcess }> {
  const { server, child } = await startMockProcess(dataDir)
  return { service: new TestAttachments(server), child }
}

it('keeps attachments and files across a restart when there is a data directory', async () => {
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

it('completes an upload acknowledged before a kill, even if its notification was held back', async () => {
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
})

it('leaves nothing of an upload that a kill cut off, and accepts it again', async () => {
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
})

it('keeps nothing without a data directory', async () => {
  const first = await TestAttachments.start()
  const id = await first.upload('fleeting')
  await first.server.close()
  const second = await TestAttachments.start()
  onTestFinished(() => second.server.close())
  expect((await second.get(id)).status).toBe(404)
})

it('gives the same ids and answers for the same seed and calls, before and after a reset', async () => {
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
    // Origins differ in their ports; a reset changes the signing secret. Neither is part of the comparison.
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
