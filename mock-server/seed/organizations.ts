import { z } from 'zod'
import { organizationSchema, type Organization, type User } from '../organizations/organization'
import data from './texts/organizations.json'

/** Returns the directory: the tester first, and from id 12 on users without an organization. */
export function seedUsers(now: Date): User[] {
  return data.users.map(({ login, email, hoursAgo }, index) => ({
    id: index + 1,
    login,
    email,
    lastSeenAt: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString(),
  }))
}

export const seedCurrentId = 1

/** Returns the seed organizations: 1, the current one, and 2, each with users of every role. */
export function seedOrganizations(): Organization[] {
  return z.array(organizationSchema).parse(data.organizations)
}
