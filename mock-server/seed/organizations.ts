import { callerId, noAddress, type Organization, type User } from '../organizations/organization'

const longLogin = `wilhelmina-alexandrine-${'van-der-'.repeat(14)}berg`

/** Logins, e-mail addresses and hours since the last visit; ids count from 1. */
const people: [login: string, email: string, hoursAgo: number][] = [
  ['tester', 'tester@example.org', 0],
  ['anna', 'anna.de.vries@example.org', 1],
  ['bram', 'bram+vpn@example.org', 26],
  ['chloe', 'chloe@example.org', 400],
  ['Ólafur.Þórðarson', 'olafur@example.org', 5],
  ['山田太郎', 'yamada@example.org', 2],
  [longLogin, `${longLogin}@example.org`, 24 * 365 * 10],
  ['мария', 'maria@example.net', 0.4],
  ['dieter', 'dieter@example.net', 30 * 24],
  ['elif', 'elif@example.net', 72],
  ['عمر', 'omar@example.net', 9],
  ['farah', 'farah@example.com', 24 * 365 * 10],
  ['grace', 'grace@example.com', 24 * 365 * 10],
  ['नेहा', 'neha@example.com', 15],
  ["o'brien", 'o.brien@example.com', 700],
  ['zoë', 'zoe@example.com', 24 * 365 * 10],
]

/** Returns the directory: the tester first, and from id 12 on users without an organization. */
export function seedUsers(now: Date): User[] {
  return people.map(([login, email, hoursAgo], index) => ({
    id: index + 1,
    login,
    email,
    lastSeenAt: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString(),
  }))
}

export const seedCurrentId = 1

/** Returns the seed organizations: 1, the current one, and 2, each with users of every role. */
export function seedOrganizations(): Organization[] {
  return [
    {
      id: seedCurrentId,
      name: 'Mock University',
      address: {
        address1: 'Binnenhof 1',
        address2: 'Room 2.14',
        city: 'Utrecht',
        zipCode: '3512 AB',
        state: 'Utrecht',
        country: 'Netherlands',
      },
      members: [
        { userId: callerId, role: 'Admin' },
        { userId: 2, role: 'Admin' },
        { userId: 3, role: 'Editor' },
        { userId: 4, role: 'Viewer' },
        { userId: 5, role: 'Editor' },
        { userId: 6, role: 'Viewer' },
        { userId: 7, role: 'Viewer' },
      ],
    },
    {
      id: 2,
      name: 'Forschungsnetz Süd / 研究室',
      address: { ...noAddress, city: 'München', country: 'Deutschland' },
      members: [
        { userId: callerId, role: 'Admin' },
        { userId: 8, role: 'Admin' },
        { userId: 9, role: 'Editor' },
        { userId: 10, role: 'Viewer' },
        { userId: 11, role: 'Viewer' },
        { userId: 2, role: 'Viewer' },
      ],
    },
  ]
}
