import { useEffect, useRef } from 'react'
import type { AppState } from '../../../preload/contract'
import { useAppState } from '../../store/context'
import { useAttachments } from './use-attachments'

/** How often a service that could not be reached is asked again while its list is looked at. */
const againMs = 10_000

/**
 * Has the list fetched anew when an upload gets there, when a deletion has been sent, and now and then while it is an old one.
 */
export function useRefreshAfterChanges(instanceId: string): void {
  const { store, browsing } = useAttachments()
  const changes = changesIn(useAppState(), instanceId)
  const before = useRef(changes)
  useEffect(() => {
    if (before.current === changes) return
    before.current = changes
    void store.refresh()
  }, [store, changes])
  const isOld = browsing.seenAt !== undefined
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => void store.refresh(), againMs)
    return () => {
      clearInterval(timer)
    }
  }, [store, isOld])
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
