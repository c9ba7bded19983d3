import type { ContentData } from '../content/content-data'
import { entryCount, seedEntries } from './content-entries'
import { seedNews } from './content-news'
import { seedTweets } from './content-tweets'
import { seedUsers } from './content-users'
import { seededRandom } from './random'

/** Returns separate random numbers for each kind, so that more entries leave users, tweets and news unchanged. */
function randomFor(seed: number, kind: number): () => number {
  return seededRandom(seed * 16 + kind)
}

/**
 * Returns all data of the content API, determined by the seed, the time of seeding and the mock's address. `entries` is
 * the number of entries.
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
