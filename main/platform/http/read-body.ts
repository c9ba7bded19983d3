/** A body above the limit; the rest was not read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/**
 * Reads a body to its end as UTF-8; invalid bytes become U+FFFD, so that the parser of the document rejects them. Throws
 * BodyTooLarge as soon as more than `maxBytes` (after decompression) are announced or received, and closes the connection.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  announcedBytes: number,
  maxBytes: number,
): Promise<string> {
  if (body === null) return ''
  if (announcedBytes > maxBytes) {
    await body.cancel()
    throw new BodyTooLarge()
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      throw new BodyTooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
}
