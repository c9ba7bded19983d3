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
