import type { StoredFileFacts } from '../../../contract/attachments'
import { CausewayError } from '../../errors'
import type { FileHead, FileTransport } from '../../platform/http/file-transport'
import { parseHttpDate } from '../../platform/http/http-date'
import type { AttachmentsClient } from './attachments-client'
import { codingOf } from './decoded-body'

/** Time limit for the service and the storage together, in milliseconds. */
const longestMs = 10_000

/**
 * Asks the storage for the size and the date of an attachment's file, which the service does not send. Requests the first
 * byte with GET, because an address signed for GET refuses HEAD, and reads only the head of the answer.
 *
 * Facts are unknown if the service or the storage does not answer as expected, or not before `timeLimit` aborts. Throws
 * `http/cancelled` if `signal` aborts.
 */
export async function storedFile(
  {
    transport,
    client,
  }: {
    readonly transport: FileTransport
    readonly client: (signal: AbortSignal) => Promise<AttachmentsClient>
  },
  attachmentId: string,
  signal?: AbortSignal,
  timeLimit = AbortSignal.timeout(longestMs),
): Promise<StoredFileFacts> {
  const limit = signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit])
  try {
    const { url, namedBy, attachment } = await (await client(limit)).freshFile(attachmentId, limit)
    const request = { headers: { range: 'bytes=0-0' }, signal: limit, namedBy }
    return await transport.get(url, request, (head) => Promise.resolve(factsIn(head, attachment.extension)))
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof CausewayError)) throw error
    return {}
  }
}

/** Reads the facts from the answer to a request for the first byte (RFC 9110, sections 14.4 and 15.5.17). */
function factsIn(head: FileHead, extension: string | undefined): StoredFileFacts {
  const { status, headers } = head
  const range = headers.get('content-range') ?? ''
  const isEmpty = status === 416 && range === 'bytes */0'
  if (status !== 200 && status !== 206 && !isEmpty) return {}
  // A coded answer counts its coded bytes.
  const isPlain = codingOf(head, extension) === undefined
  const whole = headers.get('content-length')
  const length = status === 206 ? /^bytes 0-0\/([1-9]\d*)$/.exec(range)?.[1] : whole
  const bytes = isEmpty ? 0 : wholeNumber(isPlain ? length : undefined)
  const changedAt = parseHttpDate(headers.get('last-modified'))?.getTime()
  return { bytes, changedAt }
}

function wholeNumber(text: unknown): number | undefined {
  const number = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}
