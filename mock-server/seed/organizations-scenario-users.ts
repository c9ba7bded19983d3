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

/** Texts that careless clients execute, truncate, mix up or cannot display, with at most 190 characters each. */
export const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(document.title)</script>',
  '../../../etc/passwd',
  '__proto__',
  '%00%2e%2e%2f',
  '${jndi:ldap://127.0.0.1/a} {{7*7}}',
  "'; drop table users; --",
  '=cmd|"/c calc"!A1',
  '\u001b[31mred\u001b[0m\u0007',
  'line\r\nbreak\tand\u0000nul',
  '\u202eevil\u202c\u2066 mixed \u2069',
  'Z\u0351\u036b\u0343\u036a\u0302\u036ba\u0334\u0335\u031b\u0325\u0356l\u0321\u034a\u0341g\u031b\u0317o',
  '👩‍👩‍👧‍👦'.repeat(10),
  '\u200b',
  'W'.repeat(190),
] as const

/** Returns users with these texts as login and e-mail address, and ids from 3001. */
export function hostileUsers(now: Date): User[] {
  return hostileTexts.map((text, index) => ({
    id: 3001 + index,
    login: text,
    email: `${text}@example.org`,
    lastSeenAt: now.toISOString(),
  }))
}
