import { startTestServer } from '../../platform/http/test-server.testing'

/** A small content service, written from content-and-organization-apis.md, interface A, alone. */
export interface DocumentedService {
  /** The base address, without the version. */
  readonly origin: string
  /** Every request so far, such as `GET /2.3/club?count=2`; a form follows its path. */
  readonly requests: string[]
}

export interface DocumentedServiceOptions {
  /** Writes the id of the nth record as JSON; default the number itself. */
  readonly id?: (n: number) => string
  /** Writes a time in seconds since 1970 as JSON; default the number itself. */
  readonly date?: (seconds: number) => string
  /** Records, as JSON, at the beginning of every list. */
  readonly first?: readonly string[]
  /** Maximum number of records in a list, whatever `count` is. */
  readonly pageSize?: number
  /** The answer to every call. */
  readonly failure?: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
}

/** Returns true for an allowed value. */
type Rule = (value: string) => boolean

const from =
  (least: number, most = Infinity): Rule =>
  (value) =>
    /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value)
const anyText: Rule = (value) => value !== ''
const [anyId, count, offset] = [from(1), from(1, 50), from(0)]

/** Parameters of each call (section 4). */
const parametersOf: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'GET account/info': { userId: anyId },
  'GET account/posts': { userId: anyId, count, offset },
  'GET club': {
    count,
    offset,
    type: from(0, 4),
    sortMode: oneOf('mainpage', 'recent', 'week', 'unadmitted', 'editorial'),
  },
  'GET club/item': { entryId: anyId },
  'GET search': { q: anyText, count, offset, type: oneOf('1') },
  'GET tweets': {
    count,
    offset,
    listId: from(1, 3),
    interval: oneOf('3hours', 'fresh', 'week', 'month'),
  },
  'GET news': { count, listId: anyId, interval: oneOf('fresh', 'popular') },
  'GET news/lists': { listId: from(0), showSources: from(0, 1) },
  'POST misprints/new': { text: anyText, url: anyText },
  'GET content/reveal': { url: anyText },
}

/** Number of records in each list, without those of `first`. */
const inEachList = 25
/** Wed Oct 10 20:19:24 +0000 2018. */
export const firstDate = 1_539_202_764

/** Starts the service until the test ends. It answers 400 to a parameter that is not in the document. */
export async function startDocumentedService(
  options: DocumentedServiceOptions = {},
): Promise<DocumentedService> {
  const { id = String, date = String, first = [], pageSize = Infinity, failure } = options
  const requests: string[] = []

  const author = `{"id":${id(7)},"name":"Ann","profile_image_url":null,"url":null}`
  const entryFields = (n: number) =>
    `"id":${id(n)},"title":"Entry ${n}","date":${date(firstDate)},"author":${author},"type":4,"intro":"<p>Text</p>"`
  const entry = (n: number) => `{${entryFields(n)}}`
  const wholeEntry = (n: number) => `{${entryFields(n)},"entryJSON":"{\\"data\\":[]}"}`
  const tweet = (n: number) =>
    `{"id":${id(n)},"text":"Tweet ${n}","user":{"id":${id(7)},"name":"Ann","screen_name":"ann"},"media":null,"created_at":${date(firstDate)}}`
  const newsItem = (n: number) => `{"id":${id(n)},"title":"Item ${n}","date":${date(firstDate)}}`
  const category = (n: number) =>
    `{"id":${n},"name":"Category ${n}","news":[${[...first, newsItem(1)].join(',')}],"sources":null}`

  /** Returns the page of a list that `count` and `offset` request. */
  const page = (query: URLSearchParams, usual: number, record: (n: number) => string): string => {
    const records = [...first, ...Array.from({ length: inEachList }, (_, place) => record(place + 1))]
    const start = Number(query.get('offset') ?? 0)
    const length = Math.min(Number(query.get('count') ?? usual), pageSize)
    return `[${records.slice(start, start + length).join(',')}]`
  }

  const answers: Readonly<Record<string, (query: URLSearchParams) => string>> = {
    'GET account/info': () =>
      `{"id":${id(7)},"name":"Ann","date":${date(firstDate)},"socialAccounts":null,"rating":null}`,
    'GET account/posts': (query) => page(query, 30, entry),
    'GET club': (query) => page(query, 30, entry),
    'GET club/item': () => wholeEntry(1),
    'GET search': (query) => page(query, 30, entry),
    'GET tweets': (query) => page(query, 50, tweet),
    'GET news': (query) => page(query, 50, newsItem),
    'GET news/lists': () => `[${[category(0), category(1)].join(',')}]`,
    'POST misprints/new': () => '{}',
    'GET content/reveal': () =>
      `{"id":${id(1)},"data":${wholeEntry(1)},"sectionRelated":[${[...first, entry(2)].join(',')}]}`,
  }

  const respond = (call: string, query: URLSearchParams): readonly [number, string] => {
    const parameters = parametersOf[call]
    const answer = answers[call]
    if (parameters === undefined || answer === undefined) return [404, errorObject(404, 'Method not found.')]
    for (const [name, value] of query) {
      if (parameters[name]?.(value) !== true) return [400, errorObject(400, `Bad parameter: ${name}`)]
    }
    return [200, answer(query)]
  }

  const { origin } = await startTestServer((request, response) => {
    void (async () => {
      const { method = '', url = '' } = request
      let form = ''
      for await (const chunk of request) form += String(chunk)
      requests.push([method, url, ...(form === '' ? [] : [form])].join(' '))
      const { pathname, search } = new URL(url, 'http://localhost')
      const call = `${method} ${pathname.replace(/^\/2\.3\//, '')}`
      const [status, body] =
        failure === undefined
          ? respond(call, new URLSearchParams(method === 'POST' ? form : search))
          : [failure.status, failure.body ?? errorObject(failure.status, 'Not now.')]
      response.writeHead(status, { 'content-type': 'application/json', ...failure?.headers }).end(body)
    })()
  })
  return { origin, requests }
}

function errorObject(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } })
}

/** Returns ids like those of real tweets: JSON numbers above 2^53. */
export const largeId = (n: number): string => `10501186211989217${String(n).padStart(2, '0')}`

/** Times in the forms that services write, as JSON. */
export const dateForms: Readonly<Record<string, (seconds: number) => string>> = {
  seconds: String,
  'seconds in a text': (seconds) => `"${seconds}"`,
  milliseconds: (seconds) => `${seconds}000`,
  "Twitter's form": (seconds) => {
    const [, weekday = '', day = '', month = '', year = '', time = ''] =
      /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(seconds * 1000).toUTCString()) ?? []
    return `"${weekday} ${month} ${day} ${time} +0000 ${year}"`
  },
  ISO: (seconds) => `"${new Date(seconds * 1000).toISOString()}"`,
  'RFC 2822': (seconds) => `"${new Date(seconds * 1000).toUTCString()}"`,
}

/** Unreadable records for each list. */
export const badRecords: readonly string[] = [
  '{"title":"No id","text":"No id"}',
  'null',
  '{"id":0,"title":"Id 0","text":"Id 0"}',
]
