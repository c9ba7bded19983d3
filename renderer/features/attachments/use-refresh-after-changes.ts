import { useEffect, useRef } from 'react'
import type { AppState } from '../../../contract/state'
import { useAppState } from '../../store/context'
import { useAgainWhileOld } from '../../ui/use-again-while-old'
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

  const leaving = leavers(state, instanceId)
  const leavingBefore = useRef<readonly string[]>([])
  useEffect(() => {
    const left = leavingBefore.current.filter((id) => !leaving.includes(id))
    leavingBefore.current = leaving
    if (left.length > 0)
      void store.refresh().then(() => {
        store.left(left)
      })
  }, [store, leaving])

  useAgainWhileOld(browsing.seenAt !== undefined, () => void store.refresh())
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
function leavers({ deletions }: AppState, instanceId: string): readonly string[] {
  return deletions
    .filter((deletion) => deletion.instanceId === instanceId && deletion.state !== 'failed')
    .map(({ attachmentId }) => attachmentId)
}
