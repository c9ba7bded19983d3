/** Returns a generator of numbers in [0, 1) that depends only on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Returns the element at an index, counting on from the first after the last one. The list must not be empty. */
export function cycled<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

/** Returns a text with its placeholders filled: `{name}`. Those without a value stay. */
export const filledText = (text: string, values: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : all,
  )

/** Returns JSON with its placeholders filled: `{name}` alone is the value itself. Fields without one are left out. */
export function filled(template: unknown, values: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(template), (_key, text: unknown) => {
    if (typeof text !== 'string') return text
    const whole = /^\{(\w+)\}$/.exec(text)?.[1]
    return whole === undefined ? filledText(text, values) : values[whole]
  })
}
