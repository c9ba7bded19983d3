import { useEffect, useRef } from 'react'
import type { AppState } from '../../../preload/contract'
import { useAppState } from '../../store/context'
import { useAttachments } from './use-attachments'

/** Has the list fetched anew when an upload gets there, or a deletion has been sent. */
export function useRefreshAfterChanges(instanceId: string): void {
  const { store } = useAttachments()
  const changes = changesIn(useAppState(), instanceId)
  const before = useRef(changes)
  useEffect(() => {
    if (before.current === changes) return
    before.current = changes
    void store.refresh()
  }, [store, changes])
}

function changesIn({ transfers, deletions }: AppState, instanceId: string): string {
  return JSON.stringify([
    transfers
      .filter((transfer) => transfer.instanceId === instanceId && transfer.kind !== 'download')
      .flatMap(({ id, state }) =>
        state === 'confirming' || state === 'unconfirmed' || state === 'done' ? [[id, state]] : [],
      ),
    deletions.filter((deletion) => deletion.instanceId === instanceId && deletion.state === 'sending').length,
  ])
}
