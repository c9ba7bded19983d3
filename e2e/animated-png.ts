import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture of an animation: a whole screenshot, or a part of it that is drawn over what is there. */
export interface Frame {
  readonly png: Buffer
  /** Where its upper left corner is in the first frame. */
  readonly x: number
  readonly y: number
  readonly milliseconds: number
}

const signature = 8

/** A part of a PNG: its length, a type of four letters, the data, and a checksum. */
interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature; at < png.length; at += png.readUInt32BE(at) + 12)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    })
  return chunks
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([number(data.length), body, number(crc32(body))])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Returns an animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation) that is repeated for ever, of pictures in the
 * same format. Viewers that don't know it show the first frame.
 */
export function animatedPng([first, ...others]: readonly [Frame, ...Frame[]]): Buffer {
  const [header] = chunksOf(first.png)
  if (header?.type !== 'IHDR') throw new Error('The first frame is no PNG.')
  let sequence = 0
  const control = ({ png, x, y, milliseconds }: Frame): Chunk => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence++, 0)
    // Width and height.
    png.copy(data, 4, 16, 24)
    data.writeUInt32BE(x, 12)
    data.writeUInt32BE(y, 16)
    data.writeUInt16BE(milliseconds, 20)
    data.writeUInt16BE(1000, 22)
    return { type: 'fcTL', data }
  }
  const pictureOf = ({ png }: Frame): Buffer => {
    const parts = chunksOf(png).flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))
    // A browser compresses fast rather than well.
    return deflateSync(inflateSync(Buffer.concat(parts)), { level: 9 })
  }
  const chunks: Chunk[] = [
    header,
    // Forever.
    { type: 'acTL', data: Buffer.concat([number(others.length + 1), number(0)]) },
    control(first),
    { type: 'IDAT', data: pictureOf(first) },
    ...others.flatMap((frame) => [
      control(frame),
      { type: 'fdAT', data: Buffer.concat([number(sequence++), pictureOf(frame)]) },
    ]),
    { type: 'IEND', data: Buffer.alloc(0) },
  ]
  return Buffer.concat([first.png.subarray(0, signature), ...chunks.map(written)])
}
