import { readdir, readFile } from 'node:fs/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startScriptedStorage } from './storage.testing'

const content = Buffer.from('The text of a document.\n'.repeat(40_000))
const gzipped = gzipSync(content)

/** A storage that ignores `Accept-Encoding: identity`. */
const coded = (coding: string, body: Buffer) => ({
  status: 200,
  headers: { 'content-encoding': coding, 'content-length': String(body.length), etag: '"e"' },
  body,
})

describe('a download that a storage compresses unasked', () => {
  it.each([
    ['gzip', gzipped],
    ['X-GZIP', gzipped],
    ['identity, gzip', gzipped],
    ['deflate', deflateSync(content)],
    ['br', brotliCompressSync(content)],
    ['identity', content],
    ['aws-chunked', content],
  ])('is saved as the file itself: %s', async (coding, body) => {
    const { downloaded } = await startScriptedStorage(() => coded(coding, body))
    const done = await downloaded('doc')
    expect(done).toMatchObject({ state: 'done', progress: { bytes: content.length } })
    expect((await readFile(done.path)).equals(content)).toBe(true)
  })

  it('stays compressed if the file is an archive of that kind', async () => {
    const { downloaded } = await startScriptedStorage(() => coded('gzip', gzipped), { extension: 'tgz' })
    const done = await downloaded('doc')
    expect((await readFile(done.path)).equals(gzipped)).toBe(true)
  })

  it('starts again after a lost connection, because its ranges count other bytes', async () => {
    let requests = 0
    const { downloaded, sent } = await startScriptedStorage(() => {
      requests += 1
      const answer = coded('gzip', gzipped)
      return requests > 1 ? answer : { ...answer, body: gzipped.subarray(0, 1000), breaksOff: true }
    })
    const done = await downloaded('doc')
    expect(done).toMatchObject({ state: 'done' })
    expect((await readFile(done.path)).equals(content)).toBe(true)
    expect(sent).toEqual([{}, {}])
  })

  it.each([
    ['in another coding', coded('zstd', gzipped)],
    ['in one with the name of a field', coded('constructor', gzipped)],
    ['in two codings', coded('gzip, br', gzipped)],
    ['in none, but says so', coded('gzip', content)],
    ['damaged', coded('gzip', Buffer.concat([gzipped.subarray(0, 100), Buffer.alloc(500, 1)]))],
    ['incomplete', coded('gzip', gzipped.subarray(0, -20))],
    ['incomplete with Brotli', coded('br', brotliCompressSync(content).subarray(0, -5))],
    ['and expands without measure', coded('gzip', gzipSync(Buffer.alloc(70_000_000)))],
  ])('fails and leaves no file if it arrives %s', async (_what, answer) => {
    const { downloaded, folder } = await startScriptedStorage(() => answer)
    expect(await downloaded('doc')).toMatchObject({
      state: 'failed',
      error: { code: 'attachments/invalid-response', details: { host: 'storage.example' } },
    })
    expect(await readdir(folder)).toEqual([])
  })
})
