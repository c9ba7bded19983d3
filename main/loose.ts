import { z } from 'zod'

/**
 * Fields and lists as real services type them: numbers as text and the reverse, 0 and 1 for booleans, null or an empty array
 * for "nothing". Equivalent values are accepted; anything else is a wrong type. One bad record never takes the rest of its
 * list: it is left out and counted.
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

/** A boolean in any notation; undefined if it is missing or can't be read. */
export const truthIfReadable = z
  .unknown()
  .optional()
  .transform((value) => {
    const written = typeof value === 'string' ? value.trim().toLowerCase() : value
    if (truths.includes(written)) return true
    return written !== '' && untruths.includes(written) ? false : undefined
  })

/** A text; undefined if it is missing, blank or can't be read. */
export const textIfReadable = textIfAny
  .transform((value) => (value?.trim() === '' ? undefined : value))
  .catch(undefined)

/** The readable texts of a list, or a single text; undefined if it is missing or something else. */
export const textsIfReadable = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(z.unknown()).transform((all) => all.flatMap((each) => textIfReadable.parse(each) ?? [])),
  )
  .optional()
  .catch(undefined)

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

/** PHP writes a list whose first element was removed as an object, with the numbers of the elements as names. */
const elements = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d{1,9}$/.test(name)) ? Object.values(value) : value
}, z.array(z.unknown()))

function readRecords<Schema extends z.ZodType>(schema: Schema) {
  return (all: readonly unknown[] = []): Records<z.infer<Schema>> => {
    const items = all.flatMap((element) => {
      const parsed = schema.safeParse(element)
      return parsed.success ? [parsed.data] : []
    })
    return { items, unreadable: all.length - items.length }
  }
}

/** Reads the readable elements of a list. */
export function recordsOf<Schema extends z.ZodType>(schema: Schema) {
  return elements.transform(readRecords(schema))
}

/** Reads the readable elements of a list; none if there is no list. */
export function recordsIn<Schema extends z.ZodType>(schema: Schema) {
  return unlessNothing(elements).transform(readRecords(schema))
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
  return elements.transform((elements, context) => {
    const [first] = elements
    const { items, unreadable } = readRecords(schema)(elements)
    if (items.length === 0 && unreadable > 0) {
      const path = schema.safeParse(first).error?.issues[0]?.path ?? []
      context.addIssue({ code: 'custom', path: [0, ...path], message: 'None of the items could be read.' })
    }
    return { items, unreadable }
  })
}

/** Leaves out records with the same key as an earlier one. */
export function firstOfEach<Item>(
  { items, unreadable }: Records<Item>,
  keyOf: (item: Item) => string,
): Records<Item> {
  const first = new Map(items.toReversed().map((item) => [keyOf(item), item]))
  return { items: items.filter((item) => first.get(keyOf(item)) === item), unreadable }
}

/** A number that stands for a kind; undefined for an unknown kind. */
export const kind = wholeNumber.catch(undefined)
