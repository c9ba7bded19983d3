/** Returns the milliseconds that an action takes. */
export async function msOf(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await action()
  return performance.now() - began
}

/**
 * Runs each of these works once in every round, in an order that changes, and returns what they returned. The first round warms up
 * caches and doesn't count.
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(works) as Name[]
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await works[name]()
      if (round > 0) all[name].push(value)
    }
  }
  return all
}
