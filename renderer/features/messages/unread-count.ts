import type { InstanceSlice } from '../../../contract/state'

/** How many messages of all instances the person has not read. */
export function unreadCount(instances: readonly InstanceSlice[]): number {
  return instances.reduce(
    (sum, { messages }) => sum + messages.items.filter(({ unread }) => unread === true).length,
    0,
  )
}
