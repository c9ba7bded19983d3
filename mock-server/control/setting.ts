import { z } from 'zod'
import type { MockState } from '../mock-state'

/** Something that scenarios can change. Throws an Error for a value that its schema doesn't allow. */
export interface Setting {
  (world: MockState, value: unknown): void
  /** Throws an Error if the world doesn't run what this changes. */
  check?: (world: MockState) => void
}

export function setting<T>(schema: z.ZodType<T>, apply: (world: MockState, value: T) => void): Setting {
  return (world, value) => {
    apply(world, schema.parse(value))
  }
}

export function choice<T>(table: Record<string, T>, apply: (world: MockState, chosen: T) => void): Setting {
  return setting(z.enum(Object.keys(table)), (world, name) => {
    // The schema has only names of the table.
    apply(world, table[name] as T)
  })
}

/** Adds a check to a setting. */
export function needing(check: (world: MockState) => void, given: Setting): Setting {
  return Object.assign(given, { check })
}
