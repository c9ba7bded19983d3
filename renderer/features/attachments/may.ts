import type { AttachmentItem, AttachmentsIdentity } from '../../../contract/attachments'
import { useFetched } from '../../store/queries'

/**
 * Actions that the service allows a person, according to their roles (field notes). Without an identity, everything
 * is offered.
 */
export interface May {
  /** The person's own id, if the settings name it. */
  readonly userId?: string | undefined
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
    userId,
    list: contributes,
    add: contributes,
    change: (attachment) =>
      administrates || (contributes && (userId === undefined || attachment.userId === userId)),
  }
}

/** Returns what the service allows the person; undefined until that is known. */
export function useMay(instanceId: string): May | undefined {
  const { data, error } = useFetched('attachmentsIdentity', { instanceId }, { staleTime: 0 })
  // Without an answer the roles are unknown. The service checks them in any case.
  return data === null && error === null ? undefined : may(data ?? {})
}
