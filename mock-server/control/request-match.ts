import { type IncomingHttpHeaders, METHODS } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { jsonpath, type JSONValue } from 'json-p3'
import { z } from 'zod'
import { createContext, Script } from 'node:vm'
import { normalizedUrl, type Parameters, parametersOf, pathOf } from '../http/parameters'
import { isHeaderName } from '../http/sendable-headers'
import { optional, text } from '../schemas'
import type { TokenStore } from '../vpn/token-store'

/** The longest pattern, and the longest beginning of a text that a pattern is matched against. */
const maxPatternCharacters = 500
const maxTextCharacters = 64 * 1024
/** Generous, because a busy machine can stop the process for a while; no sensible expression takes this long. */
const timeLimitMs = 2000

const context = createContext({ work: () => undefined })
const script = new Script('work()')
const timedOut = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Expressions of a tester took longer than the time limit. */
export class ExpressionTimeout extends Error {}

/** Runs work whose expressions may backtrack for ages; nothing else runs meanwhile. Throws an ExpressionTimeout. */
export function withinTime<T>(work: () => T): T {
  context.work = work
  try {
    return script.runInContext(context, { timeout: timeLimitMs }) as T
  } catch (error) {
    // An Error of the context's own realm.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === timedOut)
      throw new ExpressionTimeout(`An expression took longer than ${timeLimitMs / 1000} seconds.`)
    throw error
  }
}

/** Runs work like `withinTime`, and returns what stands for its result if it took too long. */
export function inTimeOr<T>(work: () => T, otherwise: (error: ExpressionTimeout) => T): T {
  try {
    return withinTime(work)
  } catch (error) {
    if (error instanceof ExpressionTimeout) return otherwise(error)
    throw error
  }
}

function isAccepted(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

export const isPattern = (text: string): boolean => isAccepted(() => new RegExp(text, 'u'))

function patternMatches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text.slice(0, maxTextCharacters))
}

const longest = 2000
const maxShown = 200

const pattern = z
  .string()
  .max(maxPatternCharacters)
  .refine(isPattern, 'must be a regular expression')
  .describe('A regular expression, which may match anywhere in the text')

/** A path, or its beginning with a star. Refuses what no path of a request has: it would silently match nothing. */
export const pathPattern = z
  .string()
  .max(2000)
  .regex(/^(\*|\/[^\s*{}?#\u0080-\uffff]*\*?)$/, {
    error:
      'must begin with a slash, as requests have it: no query, no parameters such as {id}, percent-encoded; a star at its end, and only there, stands for the rest',
  })
  .refine((path) => !/\/:[A-Za-z]/.test(path), 'must have no parameters such as :id; end it with a star')
  .refine(
    (path) => !/^\/_(mock|world)(\/|$)/.test(path),
    'must be a path of a service: control calls are neither affected nor recorded, and a world is not part of a path',
  )
  .describe('A star at its end stands for the rest')

/** The methods of the journal, beside those of HTTP, for what the network behind the tunnel sees. */
export const methodsBehind: readonly string[] = ['DNS', 'ICMP', 'TCP', 'UDP', 'DISCARD']
/** Node answers CONNECT by itself. */
const knownMethods = [...METHODS, ...methodsBehind].filter((method) => method !== 'CONNECT')
const withoutBody = [...methodsBehind, 'GET', 'HEAD', 'TRACE']
export const methodName = z
  .string()
  .max(20)
  .refine((name) => knownMethods.includes(name.toUpperCase()), 'must be a method such as GET')

const isJsonPath = (path: string) => isAccepted(() => jsonpath.compile(path))

export function valuesAt(json: string, path: string): unknown[] {
  try {
    return jsonpath.query(path, JSON.parse(json) as JSONValue).values()
  } catch {
    return []
  }
}

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
type TextTest = z.infer<typeof textTest>

const jsonTest = z
  .strictObject({
    jsonPath: z
      .string()
      .max(500)
      .refine(isJsonPath, 'must be a JSON path such as $.items[0].title (RFC 9535)'),
    equals: z.unknown().optional().describe('any JSON value'),
    matches: pattern.optional().describe('for text, numbers and booleans'),
  })
  .refine(
    (test) => !('equals' in test && test.matches !== undefined),
    'must have only one of equals and matches',
  )

const maxTests = 20
const tests = (what: string) =>
  z
    .record(z.string().max(200), textTest)
    .refine((given) => Object.keys(given).length <= maxTests, `must have at most ${maxTests} names`)
    .describe(what)

const formTest = z.strictObject({
  form: tests('Fields of a form with their values, all of which it must have'),
})

const bodyTest = z.union([textTest.refine((test) => test !== ''), jsonTest, formTest], {
  error:
    'must be a text that is not empty, {"contains": text}, {"matches": regular expression}, {"present": true or false}, ' +
    '{"form": {"field": …}} or {"jsonPath": "$.path", "equals"?: value, "matches"?: regular expression}',
})
type BodyTest = z.infer<typeof bodyTest>

/** The requests that a fault affects, or that a test expects: those that meet all given conditions. */
export const matchSchema = z
  .strictObject({
    method: methodName.optional(),
    path: pathPattern.optional(),
    query: tests('Parameters with their values, all of which the request must have').optional(),
    headers: tests('Headers with their values, all of which the request must have')
      .refine((given) => Object.keys(given).every(isHeaderName), 'must have names that HTTP allows')
      .optional(),
    user: optional(text(1, 200), 'The user of the access token, of x-user-id, or of Basic authentication'),
    body: optional(
      bodyTest,
      'A form or a JSON text; bodies of uploaded files match nothing. jsonPath alone asks for any value there',
    ),
  })
  .refine(({ method = '', body }) => body === undefined || !withoutBody.includes(method.toUpperCase()), {
    path: ['body'],
    error: 'is not read with this method',
  })
  .meta({ id: 'RequestMatch' })
export type RequestMatch = z.infer<typeof matchSchema>

export interface MatchedRequest {
  method: string
  path: string
  query: string
  headers: Record<string, string | string[] | undefined>
  user(): string | undefined
  /** Undefined for a request without a body, or with a file. */
  body?: string | undefined
  /** True if the body is longer than this. */
  isBodyCut?: boolean
}

/** Returns the user whose credentials a request has: x-user-id, an access token, even an expired one, or Basic authentication. */
function userOf(
  headers: Record<string, string | string[] | undefined>,
  tokens: TokenStore,
): string | undefined {
  const { 'x-user-id': userId, authorization = '' } = headers
  if (typeof userId === 'string' && userId !== '') return userId
  const [scheme = '', credentials = ''] = String(authorization).split(' ')
  if (scheme.toLowerCase() === 'bearer') return tokens.userOfToken(credentials)
  if (scheme.toLowerCase() !== 'basic') return undefined
  return Buffer.from(credentials, 'base64').toString().split(':', 1)[0]
}

export function matchedRequest(
  request: { method: string; url: string; headers: IncomingHttpHeaders },
  tokens: TokenStore,
  body?: string,
): MatchedRequest {
  const { method, url, headers } = request
  const user = () => userOf(headers, tokens)
  return { method, path: pathOf(request), query: url.split('?').slice(1).join('?'), headers, user, body }
}

/** Returns whether a path matches a pattern; `*` at the end matches the rest. An encoded letter is that letter. */
export function pathFits(pattern: string, path: string): boolean {
  const [wanted, given] = [normalizedUrl(pattern), normalizedUrl(path)]
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted
}

function textFits(test: TextTest, texts: readonly string[]): boolean {
  if (typeof test === 'string') return texts.includes(test)
  if ('present' in test) return test.present === texts.length > 0
  if ('contains' in test) return texts.some((text) => text.includes(test.contains))
  return texts.some((text) => patternMatches(test.matches, text))
}

const listOf = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat())

/** Returns the texts of a parameter or a field; none if it isn't there. */
function givenIn(parameters: Parameters, name: string): string[] {
  return Object.hasOwn(parameters, name) ? listOf(parameters[name]) : []
}

const isForAbsence = (test: TextTest) => typeof test === 'object' && 'present' in test && !test.present

function bodyFits(test: BodyTest, { body, isBodyCut = false }: MatchedRequest): boolean {
  if (typeof test === 'object' && 'form' in test) {
    const text = body ?? ''
    const fields = parametersOf(text)
    const whole = isBodyCut ? parametersOf(text.slice(0, Math.max(0, text.lastIndexOf('&')))) : fields
    return Object.entries(test.form).every(
      ([name, field]) =>
        // The rest of the body may have the field, or more of its value.
        textFits(field, givenIn(typeof field === 'string' ? whole : fields, name)) &&
        !(isBodyCut && isForAbsence(field)),
    )
  }
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

/** Yields the conditions that a request doesn't meet, each with what the request has instead. */
function* unmet(match: RequestMatch, request: MatchedRequest): Generator<string> {
  const { method, path, query = {}, headers = {}, user, body } = match
  if (method !== undefined && method.toUpperCase() !== request.method) yield `method: ${request.method}`
  if (path !== undefined && !pathFits(path, request.path)) yield `path: ${request.path}`
  const parameters = match.query === undefined ? {} : parametersOf(request.query)
  for (const [name, test] of Object.entries(query)) {
    const given = givenIn(parameters, name)
    if (!textFits(test, given)) yield `query ${name}: ${listText(given)}`
  }
  for (const [name, test] of Object.entries(headers)) {
    const given = listOf(request.headers[name.toLowerCase()])
    if (!textFits(test, given)) yield `header ${name}: ${listText(given)}`
  }
  if (user !== undefined && user !== request.user()) yield `user: ${request.user() ?? 'none'}`
  if (body !== undefined && !bodyFits(body, request)) yield `body: ${listText(listOf(request.body))}`
}

const listText = (texts: readonly string[]) =>
  texts.length === 0 ? 'none' : texts.map((text) => text.slice(0, maxShown)).join(', ')

/** Returns whether a fault affects a request. An expression that takes too long doesn't match. */
export function affects(match: RequestMatch, request: MatchedRequest): boolean {
  const work = () => fits(match, request)
  return hasExpression(match) ? inTimeOr(work, () => false) : work()
}

function hasExpression({ query = {}, headers = {}, body = '' }: RequestMatch): boolean {
  const fields = typeof body === 'object' && 'form' in body ? Object.values(body.form) : [body]
  const texts = [...fields, ...Object.values(query), ...Object.values(headers)]
  return texts.some((test) => typeof test === 'object' && ('matches' in test || 'jsonPath' in test))
}

export function fits(match: RequestMatch, request: MatchedRequest): boolean {
  return unmet(match, request).next().done === true
}

/** Returns whether a request that doesn't match may do so with the rest of its body. */
export function mayFit(match: RequestMatch, request: MatchedRequest): boolean {
  const { body, ...others } = match
  if (request.isBodyCut !== true || body === undefined) return false
  return restMayFit(body, request.body ?? '') && fits(others, request) && !fits(match, request)
}

function restMayFit(test: BodyTest, beginning: string): boolean {
  if (typeof test === 'string') return false
  if ('form' in test) {
    const fields = parametersOf(beginning)
    return Object.entries(test.form).every(
      ([name, field]) => !isForAbsence(field) || givenIn(fields, name).length === 0,
    )
  }
  // The journal counts bytes, and keeps fewer characters of some texts than an expression reads.
  if ('matches' in test && !('jsonPath' in test)) return beginning.length < maxTextCharacters
  return 'contains' in test || 'jsonPath' in test
}

export function differencesOf(match: RequestMatch, request: MatchedRequest): string[] {
  return [...unmet(match, request)]
}
