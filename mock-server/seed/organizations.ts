import { z } from 'zod'
import { type Organization, organizationSchema, type User } from '../organizations/organization'
import data from './texts/organizations.json'
import { hostileTexts } from './hostile-texts'

export function thousandUsers(now: Date): User[] {
  return Array.from({ length: 1000 }, (_, index) => {
    const number = String(index + 1).padStart(4, '0')
    return {
      id: 1001 + index,
      login: `user-${number}`,
      email: `user-${number}@example.org`,
      lastSeenAt: new Date(now.getTime() - index * 3_600_000).toISOString(),
    }
  })
}

export function hostileUsers(now: Date): User[] {
  return hostileTexts.organizations.map((text, index) => ({
    id: 3001 + index,
    login: text,
    email: `${text}@example.org`,
    lastSeenAt: now.toISOString(),
  }))
}

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

/** The organizations of every seed: 1, the current one, and 2, each with users of every role. */
export const seedOrganizations: readonly Organization[] = z
  .array(organizationSchema)
  .parse(data.organizations)
