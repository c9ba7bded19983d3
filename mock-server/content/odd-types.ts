/** Fields that real servers leave out now and then. */
const leftOut: ReadonlySet<string> = new Set([
  'dateRFC',
  'externalLink',
  'isFavorited',
  'media',
  'mobile_url',
  'profile_background_url',
  'rating',
  'socialAccounts',
  'sources',
])
/** Fields that real servers answer with null now and then. */
const nulled: ReadonlySet<string> = new Set([
  'commentsCount',
  'favorite_count',
  'hits',
  'likes',
  'preview_img',
  'title',
])

/**
 * The same answer as loosely typed servers give it, in turns by the place in its list: numbers as text, truth as 0 and
 * 1, null as an empty array, fields that are null or left out. Ids keep their value.
 */
export function withOddTypes(value: unknown, place = 0): unknown {
  if (Array.isArray(value)) return value.map((element, index) => withOddTypes(element, index))
  if (value === null) return []
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number') return place % 2 === 0 ? String(value) : value
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      if (place % 3 === 2 && leftOut.has(name)) return []
      if (place % 3 === 1 && nulled.has(name)) return [[name, null]]
      return [[name, withOddTypes(field, place)]]
    }),
  )
}
