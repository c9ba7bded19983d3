import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Script, startScriptedStorage } from './storage.testing'

const size = 600_000
const half = 300_000
const old = Buffer.alloc(size, 'A')
const fresh = Buffer.alloc(size, 'B')

const whole = (body: Buffer, etag: string) => ({
  status: 200,
  headers: { etag, 'content-length': String(body.length) },
  body,
})
const brokenOff = { ...whole(old, '"old"'), body: old.subarray(0, half), breaksOff: true }

/** Answers the requests in this order, and the rest like the last. */
function inOrder(...answers: readonly [...Awaited<ReturnType<Script>>[]]): Script {
  let next = 0
  return () => answers[Math.min(next++, answers.length - 1)] ?? { status: 500 }
}

const rest = (headers: Readonly<Record<string, string>>, body = fresh.subarray(half)) => ({
  status: 206,
  headers: { 'content-range': `bytes ${half}-${size - 1}/${size}`, ...headers },
  body,
})

describe('a download that is resumed', () => {
  it('keeps what has arrived if the rest belongs to the same version', async () => {
    const { downloaded, sent } = await startScriptedStorage(
      inOrder(brokenOff, rest({ etag: '"old"' }, old.subarray(half))),
    )
    const done = await downloaded('a')
    expect(done).toMatchObject({ state: 'done', progress: { bytes: size, totalBytes: size } })
    expect((await readFile(done.path)).equals(old)).toBe(true)
    expect(sent).toEqual([{}, { range: `bytes=${half}-`, 'if-range': '"old"' }])
  })

  it.each<[what: string, answer: ReturnType<typeof rest>]>([
    ['has another entity tag', rest({ etag: '"new"' })],
    ['has no entity tag', rest({})],
    [
      'belongs to a file of another size',
      rest({ etag: '"old"', 'content-range': `bytes ${half}-${size}/${size + 1}` }),
    ],
    ['begins elsewhere', rest({ etag: '"old"', 'content-range': `bytes 0-${size - 1}/${size}` })],
    ['does not say what it contains', rest({ etag: '"old"', 'content-range': 'bytes' })],
  ])('starts again from the first byte if the rest %s', async (_what, answer) => {
    const { downloaded, sent } = await startScriptedStorage(inOrder(brokenOff, answer, whole(fresh, '"new"')))
    const done = await downloaded('a')
    expect(done).toMatchObject({ state: 'done', progress: { bytes: size, totalBytes: size } })
    expect((await readFile(done.path)).equals(fresh)).toBe(true)
    expect(sent.map((headers) => headers.range)).toEqual([undefined, `bytes=${half}-`, undefined])
  })

  it('asks for what is missing if the storage sends only a part of the rest', async () => {
    const end = half + 100_000
    const part = {
      status: 206,
      headers: { etag: '"old"', 'content-range': `bytes ${half}-${end - 1}/${size}` },
      body: old.subarray(half, end),
    }
    const last = {
      ...part,
      headers: { etag: '"old"', 'content-range': `bytes ${end}-${size - 1}/${size}` },
      body: old.subarray(end),
    }
    const { downloaded } = await startScriptedStorage(inOrder(brokenOff, part, last))
    const done = await downloaded('a')
    expect(done).toMatchObject({ state: 'done' })
    expect((await readFile(done.path)).equals(old)).toBe(true)
  })

  it('fails at last if the file changes again and again', async () => {
    const script: Script = ({ range }) => (range === undefined ? brokenOff : rest({ etag: '"new"' }))
    const { downloaded, folder, sent } = await startScriptedStorage(script)
    expect(await downloaded('a')).toMatchObject({ state: 'failed', error: { code: 'http/unreachable' } })
    expect(sent.length).toBeLessThan(12)
    expect(await readdir(folder)).toEqual([])
  })
})
