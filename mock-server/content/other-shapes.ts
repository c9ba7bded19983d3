/** Returns the value with ids above 2^53, like those of real tweets. */
export function withLargeIds(value: unknown): unknown {
  return changed(value, (name, field) =>
    name === 'id' && typeof field === 'number' ? 1_050_118_621_198_900_000n + BigInt(field) : field,
  )
}

const dateForms: readonly ((date: Date) => unknown)[] = [
  (date) => {
    const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /)
    return `${weekday} ${month} ${day} ${time} +0000 ${year}`
  },
  (date) => date.toISOString(),
  (date) => date.getTime(),
  (date) => date.toUTCString(),
]

/**
 * Returns the value with its times as text in several formats or in milliseconds, depending on the index in the list.
 */
export function withTextualDates(value: unknown): unknown {
  return changed(value, (name, field, place) => {
    const isDate = (name === 'date' || name === 'created_at') && typeof field === 'number'
    return isDate ? dateForms[place % dateForms.length]?.(new Date(field * 1000)) : field
  })
}

/**
 * Returns the value with unreadable records in its lists: in turn without an id, null, and with the id 0. Every third
 * record instead has an unknown type and null for its lists.
 */
export function withBadRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((record, place) => oneRecord(withBadRecords(record), place))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      // The comments are a part of their entry.
      name === 'commentsPreview' ? field : withBadRecords(field),
    ]),
  )
}

function oneRecord(record: unknown, place: number): unknown {
  if (typeof record !== 'object' || record === null || !('id' in record)) return record
  if (place % 3 === 2) {
    return changed({ ...record, ...('type' in record ? { type: 'podcast' } : {}) }, (_name, field) =>
      Array.isArray(field) ? null : field,
    )
  }
  if (place % 3 === 0) return record
  return [{ ...record, id: undefined }, null, { ...record, id: 0 }][Math.floor(place / 3) % 3]
}

/** Returns the value with `change` applied to every field; `place` is the record's index in its list. */
function changed(
  value: unknown,
  change: (name: string, field: unknown, place: number) => unknown,
  place = 0,
): unknown {
  if (Array.isArray(value)) return value.map((element, index) => changed(element, change, index))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const own = change(name, field, place)
      return [name, own === field ? changed(field, change, place) : own]
    }),
  )
}
