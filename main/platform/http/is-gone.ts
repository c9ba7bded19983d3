/** Returns whether a status says that there is nothing at an address any more. */
export function isGone(status: unknown): boolean {
  return status === 404 || status === 410
}
