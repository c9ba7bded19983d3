/** Records that are read of one list. A page has at most 50; lists of categories and sources have no pages. */
export const maxRecords = 200

/** The schemas of answers and blocks read no list below this depth. */
const deepest = 6

/**
 * Shortens the lists in a service's JSON before it is parsed: parsing blocks the process, and a service may send any number
 * of records. The next page starts after the records that were read, so that none is lost.
 */
export function limitLists(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.slice(0, maxRecords).map((each) => limitLists(each, depth + 1))
  const fields = Object.entries(value)
  const kept = isNumbered(value) ? fields.slice(0, maxRecords) : fields
  return Object.fromEntries(kept.map(([name, field]) => [name, limitLists(field, depth + 1)]))
}

/** Returns true for a list in the form of an object, as PHP writes it. */
function isNumbered(value: object): boolean {
  return Object.keys(value).every((name) => /^\d+$/.test(name))
}
