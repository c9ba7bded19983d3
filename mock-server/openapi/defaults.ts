import { z } from 'zod'

interface JsonObjectSchema {
  properties?: Record<string, object>
}

/** Returns the description of a query with its defaults, which zod omits for preprocessed parameters. */
export function withDefaults(description: unknown, schema: unknown): unknown {
  if (!(schema instanceof z.ZodObject)) return description
  const { properties = {}, ...rest } = description as JsonObjectSchema
  const fields: Record<string, unknown> = schema.shape
  const named = Object.entries(properties).map(([name, property]) => {
    const field = fields[name]
    return [name, field instanceof z.ZodDefault ? { ...property, default: field.def.defaultValue } : property]
  })
  return { ...rest, properties: Object.fromEntries(named) as Record<string, object> }
}
