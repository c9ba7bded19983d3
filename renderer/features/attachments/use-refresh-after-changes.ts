import { useEffect, useRef } from 'react'
import type { TransferItem } from '../../../contract/attachments'
import type { AppState } from '../../../contract/state'
import { useAppState } from '../../store/context'
import { useQueryClient } from '../../store/queries'
import type { Attachments } from './use-attachments'

/** Refreshes the list when an upload arrives and when a deletion is sent, and the facts of a file when it was replaced. */
export function useRefreshAfterChanges({ instanceId, refresh, closeRemoved }: Attachments): void {
  const client = useQueryClient()
  const state = useAppState()
  const arrived = arrivals(state, instanceId)
  const arrivedBefore = useRef(arrived)
  useEffect(() => {
    const fresh = arrived.filter((one) => !arrivedBefore.current.some((other) => isSame(one, other)))
    arrivedBefore.current = arrived
    if (fresh.length > 0) void refresh()
    for (const { kind, attachmentId } of fresh)
      if (kind === 'replacement')
        void client.invalidateQueries({ queryKey: ['attachmentFile', { instanceId, attachmentId }] })
  })

  const deleted = pendingDeletions(state, instanceId)
  const deletedBefore = useRef<readonly string[]>([])
  useEffect(() => {
    const removed = deletedBefore.current.filter((id) => !deleted.includes(id))
    deletedBefore.current = deleted
    if (removed.length > 0)
      void refresh().then(() => {
        closeRemoved(removed)
      })
  })
}

/** Returns the uploads whose files have arrived. */
function arrivals({ transfers }: AppState, instanceId: string): readonly TransferItem[] {
  return transfers.filter(
    ({ instanceId: of, kind, state }) =>
      of === instanceId &&
      kind !== 'download' &&
      (state === 'confirming' || state === 'unconfirmed' || state === 'done'),
  )
}

function isSame(one: TransferItem, other: TransferItem): boolean {
  return one.id === other.id && one.state === other.state
}

/** Returns the ids of the attachments with a pending deletion. */
export function pendingDeletions({ deletions }: AppState, instanceId: string): readonly string[] {
  return deletions
    .filter((deletion) => deletion.instanceId === instanceId && deletion.state !== 'failed')
    .map(({ attachmentId }) => attachmentId)
}
