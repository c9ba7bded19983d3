/** Bytes of an object to send, both ends included; or the whole object; or none because the range lies outside. */
type ByteRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' }

const whole: ByteRange = { kind: 'whole' }

/**
 * Reads a Range header for an object of `size` bytes. Anything but a single well-formed byte range means the whole
 * object, as RFC 9110 section 14.2 permits.
 */
export function byteRange(header: string | undefined, size: number): ByteRange {
  const [, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return whole
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { kind: 'outside' } : { kind: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return whole
  return start >= size ? { kind: 'outside' } : { kind: 'part', start, end: Math.min(end, size - 1) }
}

/** Returns whether an If-None-Match header lists this entity tag or is `*` (RFC 9110, section 13.1.2). */
export function namesTag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
