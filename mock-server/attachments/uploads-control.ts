import type { App } from '../http/app'
import type { AttachmentsService } from './attachments-service'

/** Skeleton. */
export function addUploadsControl(app: App, base: string, service: AttachmentsService): void {
  void [app, base, service]
}
