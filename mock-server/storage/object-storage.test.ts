import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ObjectStorage } from './object-storage'
import type { Grant } from './pre-signed-url'
import { temporaryDirectory, testEnvironment } from './storage.testing'

const grant: Grant = {
  method: 'PUT',
  key: 'id/file.bin',
  expires: 2 ** 40,
  contentType: 'image/png',
  fileName: '',
}

function inDirectory(): { storage: ObjectStorage; files: () => string[] } {
  const { directory, remove } = temporaryDirectory()
  const storage = new ObjectStorage(testEnvironment(directory))
  onTestFinished(async () => {
    await storage.close()
    remove()
  })
  return { storage, files: () => readdirSync(join(directory, 'objects')) }
}

async function* chunks(...contents: (string | Error)[]): AsyncGenerator<Buffer> {
  for (const content of contents) {
    await Promise.resolve()
    if (content instanceof Error) throw content
    yield Buffer.from(content)
  }
}

async function contentOf(storage: ObjectStorage, key: string): Promise<string> {
  const object = storage.get(key)
  if (object === undefined) return 'nothing'
  const body = await storage.read(object, 0, object.size - 1)
  return body === undefined ? 'no file' : Buffer.concat((await body.toArray()) as Buffer[]).toString()
}

it('stores an object with its MD5 as entity tag', async () => {
  const { storage } = inDirectory()
  expect(await storage.put(grant, chunks('hel', 'lo'))).toBe('"5d41402abc4b2a76b9719d911017c592"')
  expect(storage.get(grant.key)).toMatchObject({ size: 5, contentType: 'image/png' })
  expect(await contentOf(storage, grant.key)).toBe('hello')
})

it('stores an empty object', async () => {
  const { storage } = inDirectory()
  await storage.put(grant, chunks())
  expect([storage.get(grant.key)?.size, await contentOf(storage, grant.key)]).toEqual([0, ''])
})

it('keeps only the latest object under a key', async () => {
  const { storage, files } = inDirectory()
  await storage.put(grant, chunks('first'))
  await storage.put(grant, chunks('second'))
  expect([await contentOf(storage, grant.key), files().length]).toEqual(['second', 1])
  storage.delete(grant.key)
  expect([await contentOf(storage, grant.key), files()]).toEqual(['nothing', []])
})

it('keeps nothing of an upload that breaks off', async () => {
  const { storage, files } = inDirectory()
  await storage.put(grant, chunks('before'))
  await expect(storage.put(grant, chunks('half', new Error('aborted')))).rejects.toMatchObject({
    statusCode: 400,
    code: 'IncompleteBody',
  })
  expect([await contentOf(storage, grant.key), files().length]).toEqual(['before', 1])
})

it('keeps nothing of an object that is too large, with or without an announced length', async () => {
  const { storage, files } = inDirectory()
  storage.maxBytes = 10
  await storage.put(grant, chunks('ten bytes!'))
  for (const upload of [
    () => storage.put(grant, chunks('ten', ' bytes', ' and more')),
    () => storage.put(grant, chunks(), 11),
  ]) {
    await expect(upload()).rejects.toMatchObject({ statusCode: 413, code: 'EntityTooLarge' })
  }
  expect([await contentOf(storage, grant.key), files().length]).toEqual(['ten bytes!', 1])
})

it('accepts up to 5 GiB by default', () => {
  expect(inDirectory().storage.maxBytes).toBe(5 * 1024 * 1024 * 1024)
})

it('reads any part of an object', async () => {
  const { storage } = inDirectory()
  const bytes = randomBytes(200_000)
  await storage.put(grant, chunks())
  storage.seed('seed/file', 'text/plain', bytes, 0)
  const object = storage.get('seed/file')
  if (object === undefined) throw new Error('the seeded file is missing')
  const part = await storage.read(object, 1000, 150_000)
  expect(Buffer.concat(((await part?.toArray()) ?? []) as Buffer[])).toEqual(bytes.subarray(1000, 150_001))
})

it('returns undefined for an object whose file was deleted', async () => {
  const { storage } = inDirectory()
  await storage.put(grant, chunks('x'))
  const object = storage.get(grant.key)
  storage.delete(grant.key)
  if (object === undefined) throw new Error('the file is missing')
  expect(await storage.read(object, 0, 0)).toBeUndefined()
})

it('deletes unfinished uploads of an earlier mock', () => {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  mkdirSync(join(directory, 'objects'))
  writeFileSync(join(directory, 'objects', 'half'), 'half of it')
  void new ObjectStorage(testEnvironment(directory)).close()
  expect(readdirSync(join(directory, 'objects'))).toEqual([])
})

it('aborts running uploads when it closes, and keeps nothing of them', async () => {
  const { storage, files } = inDirectory()
  storage.switches.set({ uploadBytesPerSecond: 1 })
  const upload = storage.put(grant, chunks('this takes a quarter of a minute'))
  const outcome = expect(upload).rejects.toMatchObject({ statusCode: 400 })
  await storage.close()
  await outcome
  expect(files()).toEqual([])
})

it('forgets objects and signatures on reset', async () => {
  const { storage, files } = inDirectory()
  storage.reset()
  const url = () => storage.preSignedUrl(grant)
  const [before, again] = [url(), url()]
  await storage.put(grant, chunks('x'))
  storage.reset()
  expect([await contentOf(storage, grant.key), files()]).toEqual(['nothing', []])
  expect([again === before, url() === before]).toEqual([true, false])
})
