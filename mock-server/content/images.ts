import { crc32, deflateSync } from 'node:zlib'
import { imagesPath } from './answer-schemas'

/** Kinds of pictures and their sizes in pixels. Clients that only display entries have no reason to load a `canary`. */
export const imageSizes = {
  cover: { width: 640, height: 360 },
  thumbnail: { width: 320, height: 180 },
  photo: { width: 640, height: 426 },
  avatar: { width: 96, height: 96 },
  portrait: { width: 256, height: 256 },
  background: { width: 960, height: 240 },
  favicon: { width: 32, height: 32 },
  canary: { width: 1, height: 1 },
} as const
type ImageKind = keyof typeof imageSizes

export function imageUrl(origin: string, kind: ImageKind, id: number): string {
  return `${origin}${imagesPath}/${kind}-${id}.png`
}

function imageNamed(name: string): { kind: ImageKind; id: number } | undefined {
  const [, kind = '', id] = /^([a-z]+)-([1-9]\d{0,5})\.png$/.exec(name) ?? []
  return Object.hasOwn(imageSizes, kind) ? { kind: kind as ImageKind, id: Number(id) } : undefined
}

/** Returns a bright colour; `turn` goes from 0 to 1 once around the colour wheel. */
function colour(turn: number): Colour {
  const channel = (shift: number) => Math.round(128 + 100 * Math.cos(2 * Math.PI * (turn + shift)))
  return [channel(0), channel(1 / 3), channel(2 / 3)]
}

/** Returns the PNG picture with this name, or undefined if there is none. Every id up to 999999 has its own colours. */
export function imageOf(name: string): Buffer | undefined {
  const image = imageNamed(name)
  if (image === undefined) return undefined
  const { width, height } = imageSizes[image.kind]
  const turn = image.id * 0.618034
  return gradientPng(width, height, colour(turn), colour(turn + 0.3))
}

/** Returns a broken picture, whose id selects in which way; undefined means 404. */
export function brokenImageOf(name: string): Buffer | undefined {
  const whole = imageOf(name)
  const id = imageNamed(name)?.id
  if (whole === undefined || id === undefined) return undefined
  return [
    undefined,
    Buffer.alloc(0),
    whole.subarray(0, Math.floor(whole.length / 2)),
    Buffer.from('<!doctype html><title>Sign in</title><h1>Sign in to this network</h1>'),
    Buffer.concat([pngStart(60_000, 60_000), whole.subarray(pngStart(1, 1).length)]),
  ][id % 5]
}

export type Colour = readonly [red: number, green: number, blue: number]

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const steps = 256

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

export function pngStart(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(3, 9)
  return Buffer.concat([signature, chunk('IHDR', header)])
}

/** Returns a PNG that fades from one colour at the top left to another at the bottom right; sizes in pixels. */
export function gradientPng(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rowLength = width + 1
  const rows = Buffer.alloc(rowLength * height)
  const furthest = Math.max(1, width + height - 2)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows.writeUInt8(Math.floor(((x + y) * (steps - 1)) / furthest), y * rowLength + 1 + x)
    }
  }
  const palette = Array.from({ length: steps }, (_, step) =>
    ([0, 1, 2] as const).map((channel) =>
      Math.round(from[channel] + ((to[channel] - from[channel]) * step) / (steps - 1)),
    ),
  )
  return Buffer.concat([
    pngStart(width, height),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
