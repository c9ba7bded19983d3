export interface ImageKind {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Detects the type of a picture from its first bytes; undefined for any type that is not shown, such as SVG. Not a library,
 * because the size is a limit on memory: image-size gets lost at a fill byte in a JPEG, so that a crafted one passes with
 * another size than the browser decodes.
 */
export function imageKind(bytes: Buffer): ImageKind | undefined {
  for (const read of [png, gif, webp, jpeg, avif]) {
    const kind = read(bytes)
    if (kind !== undefined) return kind
  }
  return undefined
}

const longestSide = 12_000
const maxPixels = 50_000_000

/** Returns true if the decoded picture stays within the memory limit. */
export function isOfReasonableSize({ width, height }: ImageKind): boolean {
  return width > 0 && height > 0 && Math.max(width, height) <= longestSide && width * height <= maxPixels
}

function startsWith(bytes: Buffer, text: string, at = 0): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

function png(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 24 || !startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12))
    return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gif(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function webp(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return undefined
  }
}

/** Reads the size from the first frame header, which follows segments of any length. */
function jpeg(bytes: Buffer): ImageKind | undefined {
  if (!startsWith(bytes, '\xff\xd8\xff')) return undefined
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** Returns the largest size that any part claims. */
function avif(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 16 || !startsWith(bytes, 'ftyp', 4)) return undefined
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256, bytes.length))
  if (!brands.includes('avif') && !brands.includes('avis')) return undefined
  let width = 0
  let height = 0
  for (
    let at = bytes.indexOf('ispe');
    at !== -1 && at + 16 <= bytes.length;
    at = bytes.indexOf('ispe', at + 4)
  ) {
    width = Math.max(width, bytes.readUInt32BE(at + 8))
    height = Math.max(height, bytes.readUInt32BE(at + 12))
  }
  return { type: 'image/avif', width, height }
}
