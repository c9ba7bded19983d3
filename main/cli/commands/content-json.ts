/**
 * Converts an answer of the content API for scripts: ids are numbers if a number can hold them exactly, else strings.
 */
export function withNumericIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumericIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      name,
      name === 'id' && isExactNumber(field) ? Number(field) : withNumericIds(field),
    ]),
  )
}

function isExactNumber(id: unknown): boolean {
  return typeof id === 'string' && /^(0|[1-9]\d*)$/.test(id) && Number.isSafeInteger(Number(id))
}
