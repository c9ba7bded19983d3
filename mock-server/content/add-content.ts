import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { ErrorArea } from '../http/error-area'
import type { ContentService } from './content-service'

/** Skeleton. */
export const contentErrorArea: ErrorArea = {
  holds: (path) => /^\/\d+(\.\d+)*(\/|$)/.test(path),
  send: (_request, reply, code, message) => sendJson(reply, code, { error: { code, message } }),
}

/** Skeleton. */
export function addContent(app: App, service: ContentService): void {
  void [app, service]
}
