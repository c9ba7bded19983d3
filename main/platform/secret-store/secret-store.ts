/**
 * Stores secrets by account name, under the service name `causeway`.
 *
 * Throws `secret-store/unavailable` (no key store), `secret-store/locked`, `secret-store/failed`. Errors contain no secret.
 */
export interface SecretStore {
  get(account: string): Promise<string | undefined>
  set(account: string, secret: string): Promise<void>
  delete(account: string): Promise<void>
  /** Removes copies of earlier content, which may hold a secret that was deleted. Only a file has any. */
  removeCopies?(): Promise<void>
}
