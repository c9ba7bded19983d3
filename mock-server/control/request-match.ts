import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { parametersOf } from '../http/parameters'
import { isHeaderName } from '../http/sendable-headers'
import { methodName, pathFits, pathPattern } from './journal'
import { isJsonPath, valuesAt } from './json-path'
import { isPattern, maxPatternCharacters, patternMatches } from './timed-regexp'

const longest = 2000

const pattern = z
  .string()
  .max(maxPatternCharacters)
  .refine(isPattern, 'must be a regular expression')
  .describe('A regular expression, which may match anywhere in the text')

/** A test for a text: the whole text, a part of it, a regular expression, or that there is one at all. */
const textTest = z.union(
  [
    z.string().max(longest),
    z.strictObject({ contains: z.string().min(1).max(longest) }),
    z.strictObject({ matches: pattern }),
    z.strictObject({ present: z.boolean() }),
  ],
  {
    error: `must be a text, {"contains": text}, {"matches": regular expression of at most ${maxPatternCharacters} characters} or {"present": true or false}`,
  },
)
export type TextTest = z.infer<typeof textTest>

const jsonTest = z
  .strictObject({
    jsonPath: z
      .string()
      .max(500)
      .refine(isJsonPath, 'must be a JSON path such as $.items[0].title; filters and .. are not supported'),
    equals: z.unknown().optional().describe('any JSON value'),
    matches: pattern.optional().describe('for text, numbers and booleans'),
  })
  .refine(
    (test) => !('equals' in test && test.matches !== undefined),
    'must have only one of equals and matches',
  )

const bodyTest = z.union([textTest, jsonTest], {
  error:
    'must be a text, {"contains": text}, {"matches": regular expression}, {"present": true or false} or ' +
    '{"jsonPath": "$.path", "equals"?: value, "matches"?: regular expression}',
})
type BodyTest = z.infer<typeof bodyTest>

const maxTests = 20
const tests = (what: string) =>
  z
    .record(z.string().max(200), textTest)
    .refine((given) => Object.keys(given).length <= maxTests, `must have at most ${maxTests} names`)
    .describe(what)

/** The requests that a fault affects: those that meet all given conditions. */
export const matchSchema = z.strictObject({
  method: methodName.optional(),
  path: pathPattern.optional(),
  query: tests('Parameters with their values, all of which the request must have').optional(),
  headers: tests('Headers with their values, all of which the request must have')
    .refine((given) => Object.keys(given).every(isHeaderName), 'must have names that HTTP allows')
    .optional(),
  body: bodyTest
    .optional()
    .describe(
      'A form or a JSON text; bodies of uploaded files match nothing. jsonPath alone asks for any value there',
    ),
})
export type RequestMatch = z.infer<typeof matchSchema>

/** The parts of a request that a match looks at. */
export interface MatchedRequest {
  method: string
  path: string
  /** Query string without the question mark. */
  query: string
  headers: Record<string, string | string[] | undefined>
  /** Undefined for a request without a body, or with a file. */
  body?: string | undefined
}

function textFits(test: TextTest, texts: readonly string[]): boolean {
  if (typeof test === 'string') return texts.includes(test)
  if ('present' in test) return test.present === texts.length > 0
  if ('contains' in test) return texts.some((text) => text.includes(test.contains))
  return texts.some((text) => patternMatches(test.matches, text))
}

const listOf = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat())

function parametersFit(wanted: Record<string, TextTest>, query: string): boolean {
  const given = parametersOf(query)
  return Object.entries(wanted).every(([name, test]) =>
    textFits(test, Object.hasOwn(given, name) ? listOf(given[name]) : []),
  )
}

function headersFit(wanted: Record<string, TextTest>, headers: MatchedRequest['headers']): boolean {
  return Object.entries(wanted).every(([name, test]) => textFits(test, listOf(headers[name.toLowerCase()])))
}

function bodyFits(test: BodyTest, body: string | undefined): boolean {
  if (typeof test === 'string' || !('jsonPath' in test)) {
    return textFits(test, body === undefined || body === '' ? [] : [body])
  }
  const values = valuesAt(body ?? '', test.jsonPath)
  if ('equals' in test) return values.some((value) => isDeepStrictEqual(value, test.equals))
  const { matches } = test
  if (matches === undefined) return values.length > 0
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return values.some((value) => isPlain(value) && patternMatches(matches, String(value)))
}

/** Returns true if a request fits, apart from its body. */
export function fitsBeforeBody(match: RequestMatch, request: MatchedRequest): boolean {
  return (
    (match.method === undefined || match.method.toUpperCase() === request.method) &&
    (match.path === undefined || pathFits(match.path, request.path)) &&
    (match.query === undefined || parametersFit(match.query, request.query)) &&
    (match.headers === undefined || headersFit(match.headers, request.headers))
  )
}

/** Returns true if a request fits. */
export function fits(match: RequestMatch, request: MatchedRequest): boolean {
  return fitsBeforeBody(match, request) && (match.body === undefined || bodyFits(match.body, request.body))
}
