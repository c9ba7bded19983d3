import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

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

/** Returns the signature and header of a PNG with a palette; `width` and `height` in pixels. */
export function pngStart(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(3, 9)
  return Buffer.concat([signature, chunk('IHDR', header)])
}

function palette(from: Colour, to: Colour): Buffer {
  const mixed = (step: number, channel: 0 | 1 | 2) =>
    Math.round(from[channel] + ((to[channel] - from[channel]) * step) / (steps - 1))
  return Buffer.from(
    Array.from({ length: steps }, (_, step) => [mixed(step, 0), mixed(step, 1), mixed(step, 2)]).flat(),
  )
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
  return Buffer.concat([
    pngStart(width, height),
    chunk('PLTE', palette(from, to)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
