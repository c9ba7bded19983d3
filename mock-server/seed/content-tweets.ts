import type { HeldTweet } from '../content/content-data'
import { imageSizes, imageUrl } from '../content/images'
import { cycled, pick } from './random'
import people from './texts/people.json'
import topics from './texts/topics.json'

const openers = ['', 'Reminder: ', 'Heard today: ', 'Thread. '] as const
const count = 120
const recent = 18
const days = 35

/**
 * Returns 120 tweets in three lists: eighteen of the last three hours, the others of the last 35 days. Pictures are
 * below `origin`.
 */
export function seedTweets(random: () => number, now: Date, origin: string): HeldTweet[] {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return Array.from({ length: count }, (_, index) => {
    const topic = cycled(topics, index)
    const round = Math.floor(index / topics.length)
    const age =
      index < recent
        ? (index + random()) * 590
        : 3 * 3600 + ((index - recent + random()) * (days * 86_400 - 3 * 3600)) / (count - recent)
    const id = count - index
    const userId = 1 + Math.floor(random() * people.tweeters.length)
    const person = cycled(people.tweeters, userId - 1)
    const hasMedia = random() < 0.3
    const opener = round < 3 ? '' : pick(random, openers)
    return {
      listId: ((index + round) % 3) + 1,
      tweet: {
        id,
        text: `${opener}${cycled(topic.facts, round)} ${topic.tags.map((tag) => `#${tag}`).join(' ')}`,
        user: {
          id: userId,
          ...person,
          profile_image_url: imageUrl(origin, 'avatar', 100 + userId),
          followers_count: userId * 731,
        },
        retweet_count: Math.floor(random() ** 3 * 900),
        favorite_count: Math.floor(random() ** 2 * 2000),
        has_media: hasMedia,
        media: hasMedia
          ? [
              {
                type: 'photo',
                thumbnailUrl: imageUrl(origin, 'thumbnail', 1000 + id),
                url: imageUrl(origin, 'photo', 1000 + id),
                ...imageSizes.photo,
              },
            ]
          : [],
        created_at: nowSeconds - Math.floor(age),
      },
    }
  })
}
