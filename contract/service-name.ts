/** Returns the name of a service: the person's own, else that of the list of organizations, else its host. */
export function serviceName({
  id,
  name,
  listing,
}: {
  readonly id: string
  readonly name?: string | undefined
  readonly listing?: { readonly name: string } | undefined
}): string {
  return name ?? listing?.name ?? id
}

/** Returns the name of the service with this id; the id once it is removed. */
export function serviceNameOf(
  instances: readonly Parameters<typeof serviceName>[0][],
  instanceId: string,
): string {
  const instance = instances.find(({ id }) => id === instanceId)
  return instance === undefined ? instanceId : serviceName(instance)
}
