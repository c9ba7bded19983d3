import { type ErrorArea, isBelow } from '../http/app'
import { escapeHtml } from '../http/page'
import { Refusal } from '../http/refusal'
import { paths } from '../paths'

/** A refusal with a code of S3. */
export class StorageError extends Refusal {
  override name = 'StorageError'
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(statusCode, message, { code })
    this.code = code
  }
}

const codes: Record<number, string> = {
  400: 'InvalidRequest',
  404: 'NoSuchKey',
  405: 'MethodNotAllowed',
  412: 'PreconditionFailed',
  413: 'EntityTooLarge',
  415: 'InvalidRequest',
}

export const storageErrorArea: ErrorArea = {
  holds: isBelow(paths.storage),
  send: ({ method }, reply, statusCode, message, details = {}) => {
    const { code = codes[statusCode] ?? 'InternalError' }: { code?: string } = details
    const body =
      `<?xml version="1.0" encoding="UTF-8"?>\n` +
      `<Error><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error>`
    return reply
      .code(statusCode)
      .header('content-type', 'application/xml')
      .send(Buffer.from(method === 'HEAD' ? '' : body))
  },
}
