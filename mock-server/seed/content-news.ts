import type { NewsSource } from '../content/answer-schemas'
import { pagesPath, type ContentData } from '../content/content-data'
import { imageUrl } from '../content/images'
import { pick } from './random'

interface CategoryTexts {
  name: string
  subjects: readonly [string, string, string, string, string]
  events: readonly [string, string, string, string]
}

const categories: readonly CategoryTexts[] = [
  {
    name: 'Privacy',
    subjects: [
      'Data protection authorities',
      'Browser makers',
      'Consumer groups',
      'Map services',
      'Hospitals',
    ],
    events: [
      'publish a common checklist for tracking',
      'shorten how long they keep locations',
      'ask for clearer consent dialogs',
      'open a hotline for questions about personal data',
    ],
  },
  {
    name: 'Security',
    subjects: ['Certificate authorities', 'Banks', 'Researchers', 'Cloud providers', 'Power companies'],
    events: [
      'rehearse the loss of a root key',
      'report fewer stolen passwords than last year',
      'warn of forged update notices',
      'pay more for reported weaknesses',
    ],
  },
  {
    name: 'Networks',
    subjects: [
      'Internet exchanges',
      'Mobile operators',
      'Campus administrators',
      'Cable crews',
      'City councils',
    ],
    events: [
      'record a new evening peak',
      'retire the last of their old switches',
      'test name resolution over encrypted channels',
      'repair a damaged link in record time',
    ],
  },
  {
    name: 'Open source',
    subjects: [
      'Volunteers',
      'Package maintainers',
      'Two foundations',
      'Kernel developers',
      'Student projects',
    ],
    events: [
      'fund another year of reviews',
      'make their builds reproducible',
      'move their meetings to public channels',
      'release a long awaited translation',
    ],
  },
  {
    name: 'Policy',
    subjects: [
      'Ministers',
      'Regulators',
      'Parliament committees',
      'Small providers',
      'Digital rights groups',
    ],
    events: [
      'debate a duty to repair software',
      'disagree about the retention of connection data',
      'agree on numbers for fibre in villages',
      'invite comments on secure defaults',
    ],
  },
  {
    name: 'Devices',
    subjects: [
      'Laptop makers',
      'Router vendors',
      'Phone repair shops',
      'Television brands',
      'Sensor start-ups',
    ],
    events: [
      'promise eight years of updates',
      'drop the default password at last',
      'print the support period on the box',
      'recall chargers with a faulty plug',
    ],
  },
]

const sourceNames = [
  'The Example Times',
  'Morning Gazette',
  'Packet Post',
  'Het Proefblad',
  'Сетевой вестник',
  'Harbour Daily',
  'Root & Branch',
  'Evening Router',
] as const

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
  const sources = sourceNames.map((name, index): NewsSource => {
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
    const texts = categories[category] ?? categories[0]
    const id = count - index
    const source = pick(random, sourcesOf(category) as [NewsSource, ...NewsSource[]])
    const age = ((index + random()) * days * 86_400) / count
    return {
      categoryId: category + 1,
      item: {
        id,
        title: `${texts?.subjects[turn % 5] ?? ''} ${texts?.events[(turn + Math.floor(turn / 5)) % 4] ?? ''}`,
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
