import { useEffect, useRef } from 'react'
import type { AppState } from '../../../contract/state'
import { useAppState } from '../../store/context'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import { useAttachments } from './attachments-store'

/**
 * Refreshes the list when an upload arrives, when a deletion is sent, and periodically while the list is from the
 * cache.
 */
export function useRefreshAfterChanges(instanceId: string): void {
  const { store, browsing } = useAttachments()
  const state = useAppState()
  const arrived = arrivals(state, instanceId)
  const arrivedBefore = useRef(arrived)
  useEffect(() => {
    if (arrivedBefore.current === arrived) return
    arrivedBefore.current = arrived
    void store.refresh()
  }, [store, arrived])

  const deleted = pendingDeletions(state, instanceId)
  const deletedBefore = useRef<readonly string[]>([])
  useEffect(() => {
    const removed = deletedBefore.current.filter((id) => !deleted.includes(id))
    deletedBefore.current = deleted
    if (removed.length > 0)
      void store.refresh().then(() => {
        store.closeRemoved(removed)
      })
  }, [store, deleted])

  useRetryWhileCached(browsing.seenAt !== undefined, () => void store.refresh())
}

/** Returns a key of the uploads whose files have arrived, and their states. */
function arrivals({ transfers }: AppState, instanceId: string): string {
  return JSON.stringify(
    transfers
      .filter((transfer) => transfer.instanceId === instanceId && transfer.kind !== 'download')
      .flatMap(({ id, state }) =>
        state === 'confirming' || state === 'unconfirmed' || state === 'done' ? [[id, state]] : [],
      ),
  )
}

/** Returns the ids of the attachments with a pending deletion. */
export function pendingDeletions({ deletions }: AppState, instanceId: string | undefined): readonly string[] {
  return deletions
    .filter((deletion) => deletion.instanceId === instanceId && deletion.state !== 'failed')
    .map(({ attachmentId }) => attachmentId)
}
