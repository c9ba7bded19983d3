import { z } from 'zod'

/**
 * Returns a schema that appears in the OpenAPI document like the given one but accepts every value. For requests that the
 * route validates itself, with the error messages of a portal.
 */
export function documented(schema: z.ZodType) {
  const { $schema: _dialect, ...description } = z.toJSONSchema(schema, { io: 'input' })
  return z.unknown().meta(description)
}
