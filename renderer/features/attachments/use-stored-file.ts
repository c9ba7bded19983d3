import { useEffect, useRef, useState } from 'react'
import type { AttachmentItem, StoredFileFacts } from '../../../contract/attachments'
import { useAppState } from '../../store/context'
import { useResult } from '../../store/use-result'

const unknown: StoredFileFacts = {}

/**
 * Returns what the storage reports about an attachment's file; no facts until then, and if it isn't in the storage. Asks
 * once, and again after the file was replaced.
 */
export function useStoredFile(
  instanceId: string,
  { id: attachmentId, type, status }: AttachmentItem,
  isCurrent: boolean,
): StoredFileFacts {
  const round = useReplacements(instanceId, attachmentId)
  const isWanted = isCurrent && type === 'INTERNAL' && status === 'COMPLETED'
  const { result, isPending } = useResult('attachmentFile', { instanceId, attachmentId }, { isWanted, round })
  return isWanted && !isPending && result?.ok === true ? result.value : unknown
}

/** Counts the replacements of an attachment's file that end while it's shown. */
function useReplacements(instanceId: string, attachmentId: string): number {
  const { transfers } = useAppState()
  const [count, setCount] = useState(0)
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    const ended = transfers
      .filter(({ kind, state }) => kind === 'replacement' && (state === 'done' || state === 'unconfirmed'))
      .filter((transfer) => transfer.instanceId === instanceId && transfer.attachmentId === attachmentId)
      .map(({ id }) => id)
    const before = known.current ?? new Set(ended)
    known.current = new Set([...before, ...ended])
    if (ended.some((id) => !before.has(id))) setCount((counted) => counted + 1)
  }, [transfers, instanceId, attachmentId])
  return count
}
