import type { ContentData } from '../content/content-data'
import { entryCount, seedEntries } from './content-entries'
import { seedNews } from './content-news'
import { seedTweets } from './content-tweets'
import { seedUsers } from './content-users'
import { seededRandom } from './random'

/** Each kind has a row of numbers of its own, so that more entries do not change users, tweets and news. */
function randomFor(seed: number, kind: number): () => number {
  return seededRandom(seed * 16 + kind)
}

/**
 * Everything that the content API shows, made anew from the seed, the time at which it was seeded and the address of the
 * mock: the same for the same three. `entries` says how many there are.
 */
export function seedContent(seed: number, now: Date, origin: string, entries = entryCount): ContentData {
  const users = seedUsers(randomFor(seed, 1), now, origin)
  return {
    users,
    entries: seedEntries(randomFor(seed, 2), { count: entries, users, now, origin }),
    tweets: seedTweets(randomFor(seed, 3), now, origin),
    ...seedNews(randomFor(seed, 4), now, origin),
  }
}
