import { hostileTexts } from './hostile-texts'
import type { User } from '../organizations/organization'

/** Returns a thousand users with ids from 1001. */
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

/** Returns users with these texts as login and e-mail address, and ids from 3001. */
export function hostileUsers(now: Date): User[] {
  return hostileTexts.organizations.map((text, index) => ({
    id: 3001 + index,
    login: text,
    email: `${text}@example.org`,
    lastSeenAt: now.toISOString(),
  }))
}
