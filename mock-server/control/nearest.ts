/** Returns the edit distance: letters to change, add or remove to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const most = 3

/** Returns the names most similar to an unknown one, best first; names that contain it come before all others. */
export function nearest(wanted: string, names: string[]): string[] {
  const word = wanted.slice(0, 100).toLowerCase()
  const farness = (name: string) => (word !== '' && name.includes(word) ? 0 : distance(word, name))
  return names
    .map((name) => ({ name, far: farness(name) }))
    .sort((one, other) => one.far - other.far)
    .slice(0, most)
    .map(({ name }) => name)
}
