import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { imageOf, imageSizes } from './images'

/** Returns the chunks of a PNG, and checks their lengths and checksums. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: { type: string; data: Buffer }[] = []
  let at = 8
  while (at < png.length) {
    const length = png.readUInt32BE(at)
    const named = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    chunks.push({ type: named.subarray(0, 4).toString('latin1'), data: named.subarray(4) })
    at += length + 12
  }
  return chunks
}

describe.each(Object.entries(imageSizes))('a %s', (kind, { width, height }) => {
  it('is a complete PNG of its size, always the same for one id and different for another', () => {
    const png = imageOf(`${kind}-7.png`)
    if (png === undefined) throw new Error('no picture')
    const [header, palette, pixels, end] = chunksOf(png)
    expect([header?.type, palette?.type, pixels?.type, end?.type]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
    expect([header?.data.readUInt32BE(0), header?.data.readUInt32BE(4)]).toEqual([width, height])
    expect(palette?.data).toHaveLength(256 * 3)
    const rows = inflateSync(pixels?.data ?? Buffer.alloc(0))
    expect(rows).toHaveLength((width + 1) * height)
    expect([rows.readUInt8(1), rows.readUInt8(rows.length - 1)]).toEqual([0, width > 1 ? 255 : 0])
    expect(imageOf(`${kind}-7.png`)).toEqual(png)
    expect(imageOf(`${kind}-8.png`)).not.toEqual(png)
  })
})

it.each([
  'cover.png',
  'cover-0.png',
  'cover-01.png',
  'cover-1.gif',
  'cover-1000000.png',
  'constructor-1.png',
  '__proto__-1.png',
  '',
])('has no picture named %j', (name) => {
  expect(imageOf(name)).toBeUndefined()
})
