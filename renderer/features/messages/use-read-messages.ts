import { useEffect, useState } from 'react'
import type { InstanceSlice } from '../../../contract/state'
import { useAppState, useBridge } from '../../store/context'

/** Limit of the contract for one command. */
const maxIds = 1000

/**
 * Tells main that the messages are read once they are visible. Returns the ids of those that were unread when the
 * view opened or arrived since: they stay marked until the user leaves the view.
 */
export function useReadMessages(instances: readonly InstanceSlice[]): ReadonlySet<string> {
  const bridge = useBridge()
  const { inFront } = useAppState()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const unread = instances.map(({ id, messages }) => ({
    instanceId: id,
    ids: messages.items.filter((item) => item.unread === true).map((item) => item.id),
  }))
  const missing = unread.flatMap(({ ids }) => ids).filter((id) => !marked.has(id))
  if (missing.length > 0) setMarked(new Set([...marked, ...missing]))
  const toTell = JSON.stringify(unread.filter(({ ids }) => ids.length > 0))
  useEffect(() => {
    if (!inFront) return
    for (const { instanceId, ids } of JSON.parse(toTell) as typeof unread)
      void bridge.run('markMessagesRead', { instanceId, ids: ids.slice(0, maxIds) })
  }, [bridge, inFront, toTell])
  return marked
}

/** Counts the unread messages of all instances. */
export function unreadCount(instances: readonly InstanceSlice[]): number {
  return instances.reduce(
    (sum, { messages }) => sum + messages.items.filter(({ unread }) => unread === true).length,
    0,
  )
}
