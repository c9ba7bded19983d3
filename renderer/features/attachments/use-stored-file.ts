import { useEffect, useRef, useState } from 'react'
import type { AttachmentItem, StoredFileFacts } from '../../../contract/attachments'
import { useAppState, useBridge } from '../../store/context'

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
  const bridge = useBridge()
  const replacements = useReplacements(instanceId, attachmentId)
  const isThere = isCurrent && type === 'INTERNAL' && status === 'COMPLETED'
  const [found, setFound] = useState({ file: unknown, replacements: 0 })
  useEffect(() => {
    if (!isThere) return
    let left = false
    void bridge.run('attachmentFile', { instanceId, attachmentId }).then((result) => {
      if (!left) setFound({ file: result.ok ? result.value : unknown, replacements })
    })
    return () => {
      left = true
    }
  }, [bridge, instanceId, attachmentId, isThere, replacements])
  return isThere && found.replacements === replacements ? found.file : unknown
}

/** Counts the replacements of an attachment's file that end while it's shown. */
function useReplacements(instanceId: string, attachmentId: string): number {
  const { transfers } = useAppState()
  const [count, setCount] = useState(0)
  const seen = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    const ended = transfers
      .filter(({ kind, state }) => kind === 'replacement' && (state === 'done' || state === 'unconfirmed'))
      .filter((transfer) => transfer.instanceId === instanceId && transfer.attachmentId === attachmentId)
      .map(({ id }) => id)
    const before = seen.current ?? new Set(ended)
    seen.current = new Set([...before, ...ended])
    if (ended.some((id) => !before.has(id))) setCount((counted) => counted + 1)
  }, [transfers, instanceId, attachmentId])
  return count
}
