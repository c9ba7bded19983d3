import type { AttachmentItem, StoredFileFacts } from '../../../contract/attachments'
import { useFetched } from '../../store/queries'

const unknown: StoredFileFacts = {}

/** Returns what the storage reports about an attachment's file; no facts until then, and if it isn't in the storage. */
export function useStoredFile(
  instanceId: string,
  { id: attachmentId, type, status }: AttachmentItem,
  isCurrent: boolean,
): StoredFileFacts {
  const enabled = isCurrent && type === 'INTERNAL' && status === 'COMPLETED'
  const input = { instanceId, attachmentId }
  const { data, error, isFetching } = useFetched('attachmentFile', input, { enabled, staleTime: 0 })
  return enabled && !isFetching && error === null && data !== null ? data : unknown
}
