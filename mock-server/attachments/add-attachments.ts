import type { App } from '../http/app'
import type { AttachmentsService } from './attachments-service'
import { addAttachmentListing } from './listing'

export { attachmentsErrorArea } from './listing'

/** Skeleton. */
export function addAttachments(
  app: App,
  base: string,
  service: AttachmentsService,
  options: { strictIdentity: boolean },
): void {
  void options
  addAttachmentListing(app, base, () => service.attachments)
}
