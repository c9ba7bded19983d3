import { type ContentData, type NewsSource, pagesPath } from '../content/answer-schemas'
import { entryCount, seedEntries } from './content-entries'
import { seedUsers } from './content-users'
import { cycled, pick, seededRandom } from './random'
import { imageSizes, imageUrl } from '../content/images'
import categories from './texts/news.json'
import people from './texts/people.json'
import topics from './texts/topics.json'

const openers = ['', 'Reminder: ', 'Heard today: ', 'Thread. '] as const
const tweetCount = 120
const recentTweets = 18
const tweetDays = 35

function seedTweets(random: () => number, nowSeconds: number, origin: string): ContentData['tweets'] {
  return Array.from({ length: tweetCount }, (_, index) => {
    const topic = cycled(topics, index)
    const round = Math.floor(index / topics.length)
    const age =
      index < recentTweets
        ? (index + random()) * 590
        : 3 * 3600 +
          ((index - recentTweets + random()) * (tweetDays * 86_400 - 3 * 3600)) / (tweetCount - recentTweets)
    const id = tweetCount - index
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

const newsCount = 100
const newsDays = 30

function seedNews(
  random: () => number,
  nowSeconds: number,
  origin: string,
): Pick<ContentData, 'categories' | 'news'> {
  const sources = people.newsSources.map((name, index): NewsSource => {
    const id = index + 1
    return {
      id,
      name,
      url: `${origin}${pagesPath}/sources/${id}`,
      favicon: imageUrl(origin, 'favicon', id),
    }
  })
  const sourcesOf = (category: number) => sources.filter((_, index) => (index + category) % 4 < 2)
  const news = Array.from({ length: newsCount }, (_, index) => {
    const category = index % categories.length
    const turn = Math.floor(index / categories.length)
    const texts = cycled(categories, index)
    const id = newsCount - index
    const source = pick(random, sourcesOf(category))
    const age = ((index + random()) * newsDays * 86_400) / newsCount
    return {
      categoryId: category + 1,
      item: {
        id,
        title: `${cycled(texts.subjects, turn)} ${cycled(texts.events, turn + Math.floor(turn / 5))}`,
        url: `${origin}${pagesPath}/press/${id}`,
        mobile_url: `${origin}${pagesPath}/press-mobile/${id}`,
        preview_img: id % 4 === 0 ? null : imageUrl(origin, 'thumbnail', 2000 + id),
        source,
        rating: { total: Math.floor(random() ** 2 * 500) - 20 },
        isFavorited: random() < 0.05,
        date: nowSeconds - Math.floor(age),
      },
    }
  })
  return {
    categories: categories.map(({ name }, index) => ({ id: index + 1, name, sources: sourcesOf(index) })),
    news,
  }
}

export function seedContent(seed: number, now: Date, origin: string, entries = entryCount): ContentData {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  // Separate random numbers for each kind, so that more entries leave users, tweets and news unchanged.
  const randomFor = (kind: number) => seededRandom(seed * 16 + kind)
  const users = seedUsers(randomFor(1), nowSeconds, origin)
  return {
    users,
    entries: seedEntries(randomFor(2), { count: entries, users, nowSeconds, origin }),
    tweets: seedTweets(randomFor(3), nowSeconds, origin),
    ...seedNews(randomFor(4), nowSeconds, origin),
  }
}
