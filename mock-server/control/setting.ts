import { z } from 'zod'
import type { MockState } from '../mock-state'

/** Something that scenarios can change: the schema of its values, and how to apply one. */
export interface Setting {
  schema: z.ZodType
  apply(world: MockState, value: unknown): void
}

export function setting<T>(schema: z.ZodType<T>, apply: (world: MockState, value: T) => void): Setting {
  return {
    schema,
    apply: (world, value) => {
      apply(world, schema.parse(value))
    },
  }
}

export function choice<T>(table: Record<string, T>, apply: (world: MockState, chosen: T) => void): Setting {
  return setting(z.enum(Object.keys(table)), (world, name) => {
    // The schema has only names of the table.
    apply(world, table[name] as T)
  })
}
