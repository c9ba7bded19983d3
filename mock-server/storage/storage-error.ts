import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorArea, isBelow } from '../http/app'
import { escapeHtml } from '../http/page'

export class StorageError extends Error {
  readonly statusCode: number
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.name = 'StorageError'
    this.statusCode = statusCode
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

export function sendStorageError(
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, code, message }: Pick<StorageError, 'statusCode' | 'code' | 'message'>,
): FastifyReply {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<Error><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error>`
  return reply
    .code(statusCode)
    .header('content-type', 'application/xml')
    .send(Buffer.from(request.method === 'HEAD' ? '' : body))
}

export function storageErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (request, reply, statusCode, message) =>
      sendStorageError(request, reply, { statusCode, code: codes[statusCode] ?? 'InternalError', message }),
  }
}
