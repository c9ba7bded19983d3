import type { OrganizationUser } from './organization'

/** Returns the identifier of a user in UserRole. */
export function loginOrEmailOf({ login, email }: Pick<OrganizationUser, 'login' | 'email'>): string {
  return login === '' ? email : login
}
