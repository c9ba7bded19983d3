import { z } from 'zod'

/** A whole number within these bounds. */
export const int = (least: number, most: number) => z.int().min(least).max(most)

/** A text of so many characters. */
export const text = (least: number, most: number) => z.string().min(least).max(most)

/** A field that may be left out, with its meaning. */
export const optional = <Schema extends z.ZodType>(schema: Schema, meaning: string) =>
  schema.optional().describe(meaning)

/** A setting that may be null, which is its normal value, with its meaning. */
export const orNull = <Schema extends z.ZodType>(schema: Schema, meaning: string) =>
  schema.nullable().describe(meaning).default(null)

/** Returns whether a change names something. */
export const isSome = (change: object): boolean => Object.keys(change).length > 0

/** An error answer, `{"error": "text"}`. */
export const errorAnswer = (description: string) => z.object({ error: z.string() }).describe(description)

/** An answer with a schema for each media type. */
export function answerIn(description: string, schemas: Record<string, z.ZodType>) {
  const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }] as const)
  return { description, content: Object.fromEntries(content) }
}
