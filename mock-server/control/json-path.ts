/** One step of a path: a name, an index, or `*` for all. */
type Step = string | number | typeof all
const all = Symbol('all')

const maxSteps = 20
const step =
  /^(?:\.([A-Za-z_][\w-]*)|\.(\*)|\[(\d{1,6})\]|\[(\*)\]|\['([^'\\]{1,200})'\]|\["([^"\\]{1,200})"\])/

/**
 * Parses a JSON path such as `$.items[0].title`, `$['a name']` or `$.items[*].id` (RFC 9535 without filters, slices and
 * descendants). Returns undefined for any other text.
 */
function stepsOf(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: Step[] = []
  let rest = path.slice(1)
  while (rest !== '') {
    const found = step.exec(rest)
    if (found === null || steps.length === maxSteps) return undefined
    const [whole, name, anyName, index, anyIndex, quoted, doubleQuoted] = found
    if (anyName !== undefined || anyIndex !== undefined) steps.push(all)
    else steps.push(index === undefined ? (name ?? quoted ?? doubleQuoted ?? '') : Number(index))
    rest = rest.slice(whole.length)
  }
  return steps
}

/** Returns true if this text is a JSON path. */
export function isJsonPath(path: string): boolean {
  return stepsOf(path) !== undefined
}

function childrenOf(value: unknown, wanted: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (wanted === all) return Object.values(value)
  if (typeof wanted === 'number') return Array.isArray(value) && wanted < value.length ? [value[wanted]] : []
  return !Array.isArray(value) && Object.hasOwn(value, wanted)
    ? [(value as Record<string, unknown>)[wanted]]
    : []
}

/** Returns the values at a path in this JSON; none if the text is not JSON. */
export function valuesAt(json: string, path: string): unknown[] {
  const steps = stepsOf(path) ?? [all]
  let values: unknown[]
  try {
    values = [JSON.parse(json)]
  } catch {
    return []
  }
  for (const wanted of steps) values = values.flatMap((value) => childrenOf(value, wanted))
  return values
}
