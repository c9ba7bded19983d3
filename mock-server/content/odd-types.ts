/** Fields that real servers sometimes leave out. */
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
/** Fields that real servers sometimes set to null. */
const nulled: ReadonlySet<string> = new Set([
  'commentsCount',
  'favorite_count',
  'hits',
  'likes',
  'preview_img',
  'title',
])

/**
 * Returns the value as loosely typed servers send it: numbers as text, booleans as 0 and 1, null as an empty array,
 * fields null or missing. The variant depends on the index in the list. Ids keep their value.
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
