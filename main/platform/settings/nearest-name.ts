/**
 * Returns the name that a user most likely meant: the one with the fewest characters to change, in upper or lower case, if
 * that's a third of it at most.
 */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > 64) return undefined
  const [nearest] = names
    .map((name) => ({ name, changes: changesBetween(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, changes }) => changes <= name.length / 3)
    .toSorted((one, other) => one.changes - other.changes)
  return nearest?.name
}

/** Returns the edit distance of Levenshtein. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1]
    for (let at = 0; at < to.length; at += 1) {
      const replaced = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
