import { z } from 'zod'

/** Returns a schema for OpenAPI that accepts every value: the route checks it itself, with a portal's messages. */
export function documented(schema: z.ZodType) {
  const { $schema: _dialect, ...description } = z.toJSONSchema(schema, { io: 'input' })
  return z.unknown().meta(description)
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
