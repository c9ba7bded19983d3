import type { InstanceSlice, MessageItem } from '../../../contract/state'

/** Returns the messages of all instances, newest first, each with its instance. */
export function newestFirst(
  instances: readonly InstanceSlice[],
): readonly (MessageItem & { readonly instanceId: string })[] {
  return instances
    .flatMap(({ id, messages }) => messages.items.map((message) => ({ ...message, instanceId: id })))
    .sort((one, other) => other.dateTime - one.dateTime)
}
