import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { pathOf, wholeNumber, wholeNumberOr } from '../http/parameters'
import { sendJsonText } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { currentUserId } from '../seed/content-users'
import {
  entrySchema,
  errorSchema,
  type HeldEntry,
  imagesPath,
  newsCategorySchema,
  newsItemSchema,
  pagesPath,
  revealedSchema,
  tweetSchema,
  userSchema,
  type WholeEntry,
  wholeEntrySchema,
} from './answer-schemas'
import { answerText, badParameter, described, sendContentError, version } from './content-answer'
import type { ContentService } from './content-service'
import { addMisprintRoutes, givenParameters } from './misprint-routes'
import {
  anyId,
  count,
  httpAddress,
  newsIntervals,
  offset,
  oneOf,
  sortModes,
  tweetIntervals,
  words,
} from './parameters'
import { clubEntries, entryAt, newestFirst, pageOf, searchEntries, topNews, topTweets } from './selection'
import { takeJson } from '../http/json-body'
import { addPageRoutes } from './page-routes'

const maxRelated = 5
const newsInCategory = 10

interface ReadingCall<Query extends z.ZodType> {
  summary: string
  description?: string
  query: Query
  answer: z.ZodType
  /** The thing that may not exist, for calls that answer 404 if `run` returns undefined. */
  of?: string
  run(query: z.output<Query>, content: ContentService): unknown
}

function asTexts(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const text = (value: unknown) => (['number', 'boolean'].includes(typeof value) ? String(value) : value)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, text(value)]))
}

function whole({ entry, entryJSON }: HeldEntry): WholeEntry {
  return { ...entry, entryJSON }
}

const contentBase = `/${version}`

/** Returns the definition, with the type of its query. */
const reading = <Query extends z.ZodType>(call: ReadingCall<Query>) => call

/** Adds a call that reads, by GET and by POST. */
function addReading(app: App, path: string, call: ReadingCall<z.ZodType>): void {
  const { summary, description, query, of } = call
  const missing = `${of ?? ''} not found.`
  const answer = (reply: FastifyReply, content: ContentService, given: unknown) => {
    const found = call.run(given, content)
    return found === undefined
      ? sendContentError(reply, 404, missing)
      : sendJsonText(reply, 200, answerText(content, found))
  }
  app.post(`${contentBase}${path}`, { schema: { hide: true } }, (request, reply) => {
    const { content } = request.world
    if (content.variant === 'reads-by-get-only') {
      return sendContentError(reply.header('allow', 'GET'), 405, 'Method Not Allowed')
    }
    const parsed = query.safeParse(asTexts(givenParameters(request)))
    if (parsed.success) return answer(reply, content, parsed.data)
    const [issue] = parsed.error.issues
    const name = issue?.path.join('.') ?? ''
    return sendContentError(reply, 400, `${name === '' ? 'the body' : name}: ${issue?.message ?? ''}`)
  })
  app.get(
    `${contentBase}${path}`,
    {
      schema: {
        ...described(summary),
        description,
        querystring: query,
        response: {
          200: call.answer,
          ...badParameter,
          ...(of === undefined ? {} : { 404: errorSchema.describe(missing) }),
        },
      },
    },
    (request, reply) => answer(reply, request.world.content, request.query),
  )
}

const entries = z.array(entrySchema).describe('The entries')

function userOf({ data }: ContentService, id: number = currentUserId) {
  return data.users.find((user) => user.id === id)
}

function visible({ variant }: ContentService, entry: HeldEntry | undefined): HeldEntry | undefined {
  return variant === 'entry-vanished' ? undefined : entry
}

function isCategory({ data }: ContentService, listId: number): boolean {
  return data.categories.some(({ id }) => id === listId)
}

/** The calls that read, by their paths. */
const readings = {
  '/account/info': reading({
    summary: 'A user',
    query: z.object({ userId: anyId('The user; the current one if omitted.').optional() }),
    answer: userSchema.describe('The user'),
    of: 'User',
    run: ({ userId }, content) => userOf(content, userId),
  }),
  '/account/posts': reading({
    summary: 'The entries of a user, newest first',
    query: z.object({
      userId: anyId('The author; the current user if omitted.').optional(),
      count: count(30),
      offset,
    }),
    answer: entries,
    of: 'User',
    run: (query, content) => {
      const user = userOf(content, query.userId)
      const isWritten = ({ entry }: HeldEntry) => entry.author.id === user?.id
      return user && pageOf(newestFirst(content.data.entries.filter(isWritten)), query)
    },
  }),
  '/club': reading({
    summary: 'Entries of the community',
    query: z.object({
      count: count(30),
      offset,
      type: wholeNumberOr(0, 0, 4).describe('0 all, 1 news, 2 off-topic, 3 video, 4 articles; default 0.'),
      sortMode: oneOf(sortModes)
        .default('mainpage')
        .describe(
          'mainpage: what the editors admitted to the main page, newest first. recent: everything, newest first. ' +
            'week: the last 7 days, most liked first. unadmitted: what is not on the main page, newest first. ' +
            'editorial: what the editors wrote themselves, newest first.',
        ),
    }),
    answer: entries,
    run: (query, content) => {
      content.addArrival()
      return pageOf(clubEntries(content.data.entries, query.type, query.sortMode, content.now), query)
    },
  }),
  '/club/item': reading({
    summary: 'One entry with its text',
    query: z.object({ entryId: anyId('The entry; required.') }),
    answer: wholeEntrySchema.describe('The entry'),
    of: 'Entry',
    run: ({ entryId }, content) => {
      const found = visible(
        content,
        content.data.entries.find(({ entry }) => entry.id === entryId),
      )
      return found && whole(found)
    },
  }),
  '/search': reading({
    summary: 'Entries that have words or hashtags in title or intro, newest first',
    query: z.object({
      q: words(500).describe(
        'Words that must all occur in title or intro; #word asks for a hashtag. Required.',
      ),
      count: count(30),
      offset,
      type: wholeNumberOr(1, 1, 1).describe('1, the club: no other value exists.'),
    }),
    answer: entries,
    run: (query, content) => pageOf(searchEntries(content.data.entries, query.q), query),
  }),
  '/content/reveal': reading({
    summary: 'The article behind an address',
    description:
      'The address must be that of an entry. Its fragment, slashes at its end and parameters that begin with utm_ ' +
      'do not matter.',
    query: z.object({ url: httpAddress.describe('Address of the article; required.') }),
    answer: revealedSchema.describe('The article'),
    of: 'Article',
    run: ({ url }, content) => {
      const found = visible(content, entryAt(content.data.entries, url))
      if (found === undefined) return undefined
      const { id, type } = found.entry
      const related = content.data.entries.filter(({ entry }) => entry.type === type && entry.id !== id)
      return { id, data: whole(found), sectionRelated: newestFirst(related).slice(0, maxRelated) }
    },
  }),
  '/tweets': reading({
    summary: 'Top tweets of a list',
    query: z.object({
      count: count(50),
      offset,
      listId: wholeNumberOr(1, 1, 3).describe('Default 1.'),
      interval: oneOf(tweetIntervals)
        .default('fresh')
        .describe(
          'fresh: newest first. 3hours, week, month: those of the last 3 hours, 7 days, 30 days, ' +
            'most shared and liked first.',
        ),
    }),
    answer: z.array(tweetSchema).describe('The tweets'),
    run: (query, content) =>
      pageOf(topTweets(content.data.tweets, query.listId, query.interval, content.now), query),
  }),
  '/news': reading({
    summary: 'Top news',
    query: z.object({
      count: count(50),
      listId: anyId('The category; all if omitted.').optional(),
      interval: oneOf(newsIntervals)
        .default('popular')
        .describe('fresh: newest first. popular: best rated first.'),
    }),
    answer: z.array(newsItemSchema).describe('The news'),
    of: 'News category',
    run: ({ listId, interval, count }, content) =>
      listId === undefined || isCategory(content, listId)
        ? topNews(content.data.news, listId, interval).slice(0, count)
        : undefined,
  }),
  '/news/lists': reading({
    summary: 'Categories of news',
    query: z.object({
      listId: wholeNumber(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('The category; all if 0 or omitted.'),
      showSources: wholeNumberOr(1, 0, 1).describe('0 omits sources; default 1.'),
    }),
    answer: z.array(newsCategorySchema).describe('The categories'),
    of: 'News category',
    run: ({ listId = 0, showSources }, content) => {
      if (listId !== 0 && !isCategory(content, listId)) return undefined
      const { categories, news } = content.data
      return categories
        .filter(({ id }) => listId === 0 || id === listId)
        .map(({ id, name, sources }) => ({
          id,
          name,
          news: topNews(news, id, 'fresh').slice(0, newsInCategory),
          sources: showSources === 1 ? sources : undefined,
        }))
    },
  }),
}

const maxShown = 100
const versioned = /^\/(\d+(?:\.\d+)*)(?:\/|$)/
/** Matches a call of this interface whose first segment is not a version. */
const misplaced = /^\/([^/]+)\/(?:account|club|search|tweets|news|misprints|content)(?:\/|$)/

/** Returns the message for an unknown path (section 7): version or method not found. */
function notFoundMessage(path: string): string {
  const requested = (versioned.exec(path) ?? misplaced.exec(path))?.[1]
  if (requested === undefined) return 'Not found.'
  if (requested !== version) {
    return `Version not found: ${requested.slice(0, maxShown)}. The current version is ${version}.`
  }
  const method = path.slice(version.length + 2)
  const shown = method.length > maxShown ? `${method.slice(0, maxShown)}…` : method
  return `Method not found: ${shown === '' ? '(none)' : shown}.`
}

/** The error object for paths that start with a version, right or wrong, and for pictures and pages. */
export const contentErrorArea: ErrorArea = {
  holds: (path) =>
    versioned.test(path) || misplaced.test(path) || isBelow(imagesPath)(path) || isBelow(pagesPath)(path),
  send: (request, reply, code, message) => {
    if (code === 404) return sendContentError(reply, code, notFoundMessage(pathOf(request)))
    return sendContentError(reply, code, code === 415 ? 'The body must be a form or JSON.' : message)
  },
}

export function addContent(app: App): void {
  takeJson(app)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body)
    },
  )
  for (const [path, call] of Object.entries<ReadingCall<z.ZodType>>(readings)) addReading(app, path, call)
  addMisprintRoutes(app, contentBase)
  addPageRoutes(app)
}
