import { pagesPath, type User } from '../content/answer-schemas'
import { imageUrl } from '../content/images'
import { pick } from './random'
import people from './texts/people.json'

/** Id of the current user, which calls without a user id mean; the first user of every seed. */
export const currentUserId = 1
export const editors: ReadonlySet<number> = new Set([7, 10])

export function userUrl(origin: string, id: number): string {
  return `${origin}${pagesPath}/users/${id}`
}

const networks = [
  { socialType: 1, socialClass: 'microblog' },
  { socialType: 2, socialClass: 'code' },
  { socialType: 3, socialClass: 'pictures' },
]

export function seedUsers(random: () => number, nowSeconds: number, origin: string): User[] {
  return people.users.map(({ name, screenName }, index) => {
    const id = index + 1
    const { socialType, socialClass } = pick(random, networks)
    return {
      id,
      name,
      profile_image_url: imageUrl(origin, 'avatar', id),
      profile_big_image_url: imageUrl(origin, 'portrait', id),
      profile_background_url: imageUrl(origin, 'background', id),
      date: nowSeconds - Math.floor((100 + random() * 1000) * 86_400),
      is_club_member: random() < 0.6,
      rating: { karma: Math.floor(random() * 900) - 60, karmaCount: Math.floor(random() * 1500) },
      socialAccounts: [
        {
          socialId: String(100_000 + Math.floor(random() * 900_000)),
          socialType,
          socialClass,
          screenName,
          url: `https://${socialClass}.example.org/@${screenName}`,
        },
      ],
    }
  })
}
