import type { AttachmentItem, AttachmentsIdentity } from '../../../contract/attachments'

/** What a person may do at the service, as far as their identity tells (field notes): without one, everything is offered. */
export interface May {
  readonly list: boolean
  readonly add: boolean
  readonly change: (attachment: AttachmentItem) => boolean
}

interface Identity {
  readonly userId?: string | undefined
  readonly roles?: Readonly<AttachmentsIdentity['roles']>
}

export function may({ userId, roles }: Identity): May {
  const administrates = roles?.includes('ADMINISTRATOR') ?? true
  const contributes = administrates || (roles?.includes('CONTRIBUTOR') ?? true)
  return {
    list: contributes,
    add: contributes,
    change: (attachment) =>
      administrates || (contributes && (userId === undefined || attachment.userId === userId)),
  }
}
