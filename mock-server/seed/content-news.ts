import type { NewsSource } from '../content/answer-schemas'
import { pagesPath, type ContentData } from '../content/content-data'
import { imageUrl } from '../content/images'
import { cycled, pick } from './random'
import categories from './texts/news.json'
import people from './texts/people.json'

const count = 100
const days = 30

/**
 * Returns 100 news items of the last 30 days in six categories, and the sources of each. Addresses are below `origin`.
 */
export function seedNews(
  random: () => number,
  now: Date,
  origin: string,
): Pick<ContentData, 'categories' | 'news'> {
  const nowSeconds = Math.floor(now.getTime() / 1000)
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
  const news = Array.from({ length: count }, (_, index) => {
    const category = index % categories.length
    const turn = Math.floor(index / categories.length)
    const texts = cycled(categories, index)
    const id = count - index
    const source = pick(random, sourcesOf(category) as [NewsSource, ...NewsSource[]])
    const age = ((index + random()) * days * 86_400) / count
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
