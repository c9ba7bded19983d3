import { expect, it } from 'vitest'
import { imageKind, isOfReasonableSize } from './image-type'

const pictures: readonly (readonly [string, string, number, number])[] = [
  ['image/png', 'iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAYAAADB5CeuAAAAV0lEQVR4Ae', 37, 21],
  ['image/gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 1, 1],
  ['image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 1, 1],
  ['image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAAAAAAAAAAAA', 1, 1],
  ['image/webp', 'UklGRjgCAABXRUJQVlA4WAoAAAAwAAAAJAAAFAAASUNDUMgBAAAAAAHIAAAAAAQwAABt', 37, 21],
  [
    'image/avif',
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICA',
    2,
    2,
  ],
]

it.each(pictures)('detects %s by its bytes, and reads its size', (type, base64, width, height) => {
  expect(imageKind(Buffer.from(base64, 'base64'))).toEqual({ type, width, height })
})

it('finds the size of a JPEG after other segments', () => {
  const segment = (marker: number, data: readonly number[]) => [0xff, marker, 0, data.length + 2, ...data]
  const jpeg = Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0]),
    ...segment(0xc4, [1, 2, 3]),
    ...segment(0xc2, [8, 0x01, 0x02, 0x03, 0x04, 3, 0]),
  ])
  expect(imageKind(jpeg)).toEqual({ type: 'image/jpeg', width: 0x0304, height: 0x0102 })
})

it('finds the size that a JPEG is decoded with, not one in a comment after a fill byte', () => {
  const segment = (marker: number, data: readonly number[]) => [
    ...[0xff, marker],
    ...[data.length + 2].flatMap((length) => [length >> 8, length & 0xff]),
    ...data,
  ]
  const zeros = (count: number) => Array<number>(count).fill(0)
  const frame = (side: number) => segment(0xc0, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 3, 0])
  const jpeg = Buffer.from([
    ...[0xff, 0xd8, ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0])],
    ...[0xff, ...segment(0xfe, zeros(65_000))],
    ...segment(0xfe, [...zeros(270), ...frame(10), ...zeros(100)]),
    ...frame(60_000),
  ])
  expect(imageKind(jpeg)).toEqual({ type: 'image/jpeg', width: 60_000, height: 60_000 })
})

it.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><title>Sign in</title>'],
  ['a page that begins like a GIF', 'GIF89<script>'],
  ['the first bytes of a PNG', '\x89PNG\r\n\x1a\n'],
  ['a JPEG without a frame', '\xff\xd8\xff\xe0\x00\x04ab'],
  ['a JPEG whose segments lead nowhere', '\xff\xd8\xff\xe0\x00\x00'.repeat(4)],
  ['a video', '\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom'],
  ['a BMP', 'BM\x00\x00\x00\x00'],
])('rejects anything else: %s', (_what, text) => {
  expect(imageKind(Buffer.from(text, 'latin1'))).toBeUndefined()
})

it.each([
  [60_000, 60_000, false],
  [0, 10, false],
  [10_000, 10_000, false],
  [6000, 4000, true],
  [1, 1, true],
])('decides if a picture of %i by %i pixels may be shown: %s', (width, height, may) => {
  expect(isOfReasonableSize({ type: 'image/png', width, height })).toBe(may)
})
