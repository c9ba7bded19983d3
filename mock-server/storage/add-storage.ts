import type { AttachmentsService } from '../attachments/attachments-service'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { isBelow, type ErrorArea } from '../http/error-area'

/** Skeleton. */
export function storageErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error) => sendJson(reply, status, { error }),
  }
}

/** Skeleton. */
export function addStorage(app: App, base: string, service: AttachmentsService): void {
  void [app, base, service]
}
