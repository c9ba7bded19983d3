import { z } from 'zod'

/**
 * A schema that says in the OpenAPI description what this one says, and lets everything through: for requests of which
 * the route itself must say what is wrong, in the words of a portal.
 */
export function documented(schema: z.ZodType) {
  const { $schema: _dialect, ...description } = z.toJSONSchema(schema, { io: 'input' })
  return z.unknown().meta(description)
}
