import { z } from 'zod'

/** The schemas that `documented` made, which each start of a mock asks for again. */
const made = new WeakMap<z.ZodType, z.ZodUnknown>()

/** Returns a schema for OpenAPI that accepts every value: the route checks it itself, with a portal's messages. */
export function documented(schema: z.ZodType): z.ZodUnknown {
  const known = made.get(schema)
  if (known !== undefined) return known
  const { $schema: _dialect, ...description } = z.toJSONSchema(schema, { io: 'input' })
  const accepting = z.unknown().meta(description)
  made.set(schema, accepting)
  return accepting
}

export const apiCall = (tag: string, summary: string, description = '') => ({
  tags: [tag],
  summary,
  security: [{ accessToken: [] }],
  description: `Needs an access token: \`Authorization: Bearer …\`. ${description}`.trim(),
})

export const unauthorized = z
  .object({ error: z.literal('invalid_token'), error_description: z.string() })
  .describe('The access token is missing, invalid or expired: a new one is needed')
