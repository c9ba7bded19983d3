import type { IncomingHttpHeaders } from 'node:http'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { StorageError } from './storage-error'

interface Sum {
  update(chunk: Buffer): unknown
  digest(): Buffer
}

/** Returns a CRC whose bits are in reflected order, as all of S3 are, with this polynomial. */
function reflectedCrc(bits: number, polynomial: bigint): Sum {
  const all = (1n << BigInt(bits)) - 1n
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = BigInt(byte)
    for (let bit = 0; bit < 8; bit += 1) value = (value >> 1n) ^ (value & 1n ? polynomial : 0n)
    return value
  })
  let sum = all
  return {
    update: (chunk) => {
      for (const byte of chunk) sum = (sum >> 8n) ^ (table[Number(sum & 255n) ^ byte] ?? 0n)
    },
    digest: () => Buffer.from((sum ^ all).toString(16).padStart(bits / 4, '0'), 'hex'),
  }
}

function zlibCrc(): Sum {
  let sum = 0
  return {
    update: (chunk) => (sum = crc32(chunk, sum)),
    digest: () => Buffer.from(sum.toString(16).padStart(8, '0'), 'hex'),
  }
}

/** The headers of S3 with the checksum of a body, their algorithms, and the lengths of their values in bytes. */
const algorithms: Record<string, [sum: () => Sum, bytes: number]> = {
  'content-md5': [() => createHash('md5'), 16],
  'x-amz-checksum-crc32': [zlibCrc, 4],
  'x-amz-checksum-crc32c': [() => reflectedCrc(32, 0x82f63b78n), 4],
  'x-amz-checksum-crc64nvme': [() => reflectedCrc(64, 0x9a6c9329ac4bc9b5n), 8],
  'x-amz-checksum-sha1': [() => createHash('sha1'), 20],
  'x-amz-checksum-sha256': [() => createHash('sha256'), 32],
}

export const checksums = Object.fromEntries(
  Object.keys(algorithms).map((name) => [name, z.string().optional().describe('In base64; checked.')]),
)

type Headers = Readonly<IncomingHttpHeaders>

/**
 * Forwards a body and checks it. `trailers` are known at the end of the body; `x-amz-trailer` announces them. Throws a
 * StorageError with 400: InvalidDigest before reading, BadDigest after it.
 */
export function verified(
  body: AsyncIterable<Buffer>,
  headers: Headers,
  trailers: Headers = {},
): AsyncIterable<Buffer> {
  const announced = [headers['x-amz-trailer'] ?? ''].join().toLowerCase().split(',')
  const names = [...Object.keys(headers), ...announced.map((name) => name.trim())]
  const expected = names
    .filter((name) => /^(content-md5|x-amz-checksum-.*)$/.test(name))
    .map((name) => {
      const [sum] = algorithms[name] ?? []
      if (sum === undefined) throw unknownSum(name)
      const given = headers[name]
      return { name, sum: sum(), wanted: given === undefined ? undefined : digestIn(name, given) }
    })
  return expected.length === 0 ? body : compare(body, expected, trailers)
}

const unknownSum = (name: string) =>
  new StorageError(400, 'InvalidDigest', `${name} is not the base64 of a checksum that S3 knows.`)

function digestIn(name: string, value: unknown): Buffer {
  const wanted = Buffer.from(String(value), 'base64')
  if (wanted.length !== algorithms[name]?.[1] || wanted.toString('base64') !== value) throw unknownSum(name)
  return wanted
}

async function* compare(
  body: AsyncIterable<Buffer>,
  expected: readonly { name: string; wanted: Buffer | undefined; sum: Sum }[],
  trailers: Headers,
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    for (const { sum } of expected) sum.update(chunk)
    yield chunk
  }
  const wrong = expected.find(
    ({ name, wanted, sum }) => !sum.digest().equals(wanted ?? digestIn(name, trailers[name])),
  )
  if (wrong !== undefined) {
    throw new StorageError(400, 'BadDigest', `The body does not have the checksum in ${wrong.name}.`)
  }
}
