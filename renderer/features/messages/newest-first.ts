import type { InstanceSlice, MessageItem } from '../../../contract/state'

/** The messages of all instances, newest first, each with the instance that it came from. */
export function newestFirst(
  instances: readonly InstanceSlice[],
): readonly (MessageItem & { readonly instanceId: string })[] {
  return instances
    .flatMap(({ id, messages }) => messages.items.map((message) => ({ ...message, instanceId: id })))
    .sort((one, other) => other.dateTime - one.dateTime)
}
