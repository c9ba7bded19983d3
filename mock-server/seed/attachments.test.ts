import { crc32, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { seedAttachments, seedFile } from './attachments'
import { seededRandom } from './random'

const now = Date.parse('2026-11-20T12:00:00Z')
const file = (extension: Parameters<typeof seedFile>[1]) =>
  seedFile(seededRandom(1), extension, 'key exchange')

it('stores every completed seed file, and none that is awaited', () => {
  const { attachments, files } = seedAttachments(1, now)
  const keys = files.map(({ key }) => key)
  const contents = attachments.flatMap(({ content }) => (content.type === 'INTERNAL' ? [content] : []))
  expect(contents.length).toBeGreaterThan(15)
  for (const { fileKey, awaitedKey, extension } of contents) {
    expect(keys.includes(fileKey ?? '')).toBe(fileKey !== null)
    expect(fileKey ?? awaitedKey).toMatch(new RegExp(`\\.${extension}$`))
    expect(keys).not.toContain(awaitedKey)
  }
  expect(new Set(contents.map(({ extension }) => extension)).size).toBe(5)
})

it('has titles of several scripts and up to the maximum length', () => {
  const titles = seedAttachments(1, now).attachments.map(({ title }) => title)
  expect(Math.max(...titles.map(({ length }) => length))).toBeGreaterThan(250)
  for (const script of [
    /\p{Script=Han}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Arabic}/u,
    /\p{Script=Hebrew}/u,
  ]) {
    expect(titles.filter((title) => script.test(title)).length).toBeGreaterThan(0)
  }
})

it('writes a PDF with a correct cross-reference table', () => {
  const text = file('pdf').toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  expect(text.slice(start, start + 4)).toBe('xref')
  const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4, 5].map((number) => `${number} 0 obj`),
  )
  expect(text).toContain('(Notes on key exchange) Tj')
})

it('writes a complete PNG', () => {
  const bytes = file('png')
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const types: string[] = []
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const named = bytes.subarray(at + 4, at + 8 + bytes.readUInt32BE(at))
    expect(bytes.readUInt32BE(at + 4 + named.length)).toBe(crc32(named))
    types.push(named.subarray(0, 4).toString())
    if (types.at(-1) === 'IDAT') expect(inflateSync(named.subarray(4))).toHaveLength(97 * 64)
  }
  expect(types).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
})

it('writes a ZIP archive with a correct directory', () => {
  const bytes = file('zip')
  const end = bytes.subarray(-22)
  expect([end.toString('latin1', 0, 4), end.readUInt16LE(8), end.readUInt16LE(10)]).toEqual([
    'PK\x05\x06',
    1,
    1,
  ])
  const central = bytes.subarray(end.readUInt32LE(16), end.readUInt32LE(16) + end.readUInt32LE(12))
  expect(central.toString('latin1', 0, 4)).toBe('PK\x01\x02')
  expect(central.toString('latin1', 46)).toBe('key-exchange.txt')
  const local = bytes.subarray(central.readUInt32LE(42), end.readUInt32LE(16))
  expect(local.toString('latin1', 0, 4)).toBe('PK\x03\x04')
  expect(local.subarray(4, 30)).toEqual(central.subarray(6, 32))
  const content = local.subarray(30 + local.readUInt16LE(26))
  expect([local.readUInt32LE(14), local.readUInt32LE(22)]).toEqual([crc32(content), content.length])
  expect(content.toString()).toMatch(/^1\. A note on key exchange\.\n/)
})

it('writes text files about their subject', () => {
  expect(file('txt').toString()).toMatch(/^1\. A note on key exchange\.\n/)
  expect(file('csv').toString().split('\r\n')).toHaveLength(4)
})
