import { z } from 'zod'

/**
 * Fields of the content API as real servers type them: numbers as text and the other way round, 0 and 1 for truth, null
 * or an empty array for "nothing". What says the same is taken; what says something else is a wrong type.
 */

/** What servers write where there is nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function unlessNothing<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (isNothing(value) ? undefined : value), schema.optional()).optional()
}

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,20}(\.\d{1,20})?\s*$/.test(value)) return value
  return Number(value)
}

const number = z.preprocess(toNumber, z.number())

/** From 1, as the document has ids. */
export const id = z.preprocess(toNumber, z.int().min(1))

/** A whole number that may be missing; a fraction loses its end. */
export const wholeNumber = unlessNothing(number.transform((value) => Math.trunc(value)))

const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())

/** A text that is empty where there is none. */
export const textOrEmpty = unlessNothing(text).transform((value) => value ?? '')

/** A text, or undefined where there is none or it is empty. */
export const textIfAny = unlessNothing(text).transform((value) => (value === '' ? undefined : value))

const truths: readonly unknown[] = [true, 1, '1', 'true']
const untruths: readonly unknown[] = [false, 0, '0', 'false', '']

/** Whether something is so; what is missing is not. */
export const truth = unlessNothing(
  z.preprocess((value) => {
    if (truths.includes(value)) return true
    return untruths.includes(value) ? false : value
  }, z.boolean()),
).transform((value) => value ?? false)

/** An object, or undefined where there is none. */
export function objectIfAny<Schema extends z.ZodType>(schema: Schema) {
  return unlessNothing(
    z.preprocess((value) => (value === false || value === '' ? undefined : value), schema.optional()),
  )
}

/** A list that is empty where there is none. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return unlessNothing(z.array(schema)).transform((value) => value ?? [])
}
