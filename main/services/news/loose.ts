import { z } from 'zod'

/**
 * Fields of the content API as real servers type them: numbers as text and the reverse, 0 and 1 for booleans, null or an
 * empty array for "nothing". Equivalent values are accepted; anything else is a wrong type.
 */

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function unlessNothing<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (isNothing(value) ? undefined : value), schema.optional()).optional()
}

/** Returns the number in a text, or else the value itself. */
export function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,300}(\.\d{1,300})?\s*$/.test(value)) return value
  return Number(value)
}

const number = z.preprocess(toNumber, z.number())

/** An id that may be 0, as for categories. It is an opaque text, whether it was sent as a number or as a text. */
export const idFromZero = z.union([
  z.int().min(0).transform(String),
  z
    .string()
    .trim()
    .regex(/^(?!-)[!-~]{1,100}$/),
])

/** An id other than 0: the document counts from 1. */
export const id = idFromZero.refine((text) => !/^0+$/.test(text))

/** The id of a secondary record; undefined if it cannot be read. */
export const idIfAny = id.optional().catch(undefined)

/** A whole number that may be missing; fractions are truncated. */
export const wholeNumber = unlessNothing(number.transform((value) => Math.trunc(value)))

const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())

/** A text; empty if missing. */
export const textOrEmpty = unlessNothing(text).transform((value) => value ?? '')

/** A text; undefined if missing or empty. */
export const textIfAny = unlessNothing(text).transform((value) => (value === '' ? undefined : value))

const truths: readonly unknown[] = [true, 1, '1', 'true']
const untruths: readonly unknown[] = [false, 0, '0', 'false', '']

/** A boolean; false if missing. */
export const truth = unlessNothing(
  z.preprocess((value) => {
    if (truths.includes(value)) return true
    return untruths.includes(value) ? false : value
  }, z.boolean()),
).transform((value) => value ?? false)

/** An object; undefined if missing. */
export function objectIfAny<Schema extends z.ZodType>(schema: Schema) {
  return unlessNothing(
    z.preprocess((value) => (value === false || value === '' ? undefined : value), schema.optional()),
  )
}

/** The readable records of a list. */
export interface Records<Item> {
  readonly items: readonly Item[]
  /** Number of records that cannot be read. */
  readonly unreadable: number
}

/** Reads the readable elements of a list; none if there is no list. */
export function recordsIn<Schema extends z.ZodType>(schema: Schema) {
  return unlessNothing(z.array(z.unknown())).transform((elements = []): Records<z.infer<Schema>> => {
    const items = elements.flatMap((element) => {
      const parsed = schema.safeParse(element)
      return parsed.success ? [parsed.data] : []
    })
    return { items, unreadable: elements.length - items.length }
  })
}

/** Reads the readable elements of a list without counting the others. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return recordsIn(schema).transform(({ items }) => items)
}

/**
 * Reads an answer that is a list. A list without one readable record is an error; the issue names the place in its first
 * record.
 */
export function listOfRecords<Schema extends z.ZodType>(schema: Schema) {
  return z.array(z.unknown()).transform((elements, context) => {
    const [first] = elements
    const { items, unreadable } = recordsIn(schema).parse(elements)
    if (items.length === 0 && unreadable > 0) {
      const path = schema.safeParse(first).error?.issues[0]?.path ?? []
      context.addIssue({ code: 'custom', path: [0, ...path], message: 'None of the items could be read.' })
    }
    return { items, unreadable }
  })
}

/** A number that stands for a kind; undefined for an unknown kind. */
export const kind = wholeNumber.catch(undefined)
