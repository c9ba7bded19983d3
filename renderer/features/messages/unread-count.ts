import type { InstanceSlice } from '../../../contract/state'

/** Counts the unread messages of all instances. */
export function unreadCount(instances: readonly InstanceSlice[]): number {
  return instances.reduce(
    (sum, { messages }) => sum + messages.items.filter(({ unread }) => unread === true).length,
    0,
  )
}
