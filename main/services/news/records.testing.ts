/** How records are written, as JSON. */
interface Writing {
  /** Returns the id of the nth record; default the number itself. */
  readonly id?: (n: number) => string
  /** Returns a time in seconds since 1970; default the number itself. */
  readonly date?: (seconds: number) => string
  /** Records at the beginning of every list. */
  readonly first?: readonly string[]
}

/** Wed Oct 10 20:19:24 +0000 2018. */
export const firstDate = 1_539_202_764

/**
 * Returns the answer to each call with the fields that content-and-organization-apis.md (interface A) names, and no others, for the
 * mock's faults: numbers above 2^53, dates as texts and invalid records can't be written as JavaScript's values.
 */
function documentedAnswers({ id = String, date = String, first = [] }: Writing = {}): Readonly<
  Record<string, string>
> {
  const author = `{"id":${id(7)},"name":"Ann","profile_image_url":null,"url":null}`
  const entryFields = (n: number) =>
    `"id":${id(n)},"title":"Entry ${n}","date":${date(firstDate)},"author":${author},"type":4,"intro":"<p>Text</p>"`
  const wholeEntry = `{${entryFields(1)},"entryJSON":"{\\"data\\":[]}"}`
  const list = (record: (n: number) => string) => `[${[...first, record(1), record(2)].join(',')}]`
  const entries = list((n) => `{${entryFields(n)}}`)
  const newsItem = (n: number) => `{"id":${id(n)},"title":"Item ${n}","date":${date(firstDate)}}`
  const category = (n: number) => `{"id":${n},"name":"Category ${n}","news":${list(newsItem)},"sources":null}`
  return {
    'account/info': `{"id":${id(7)},"name":"Ann","date":${date(firstDate)},"socialAccounts":null,"rating":null}`,
    'account/posts': entries,
    club: entries,
    'club/item': wholeEntry,
    search: entries,
    tweets: list(
      (n) =>
        `{"id":${id(n)},"text":"Tweet ${n}","user":{"id":${id(7)},"name":"Ann","screen_name":"ann"},"media":null,"created_at":${date(firstDate)}}`,
    ),
    news: list(newsItem),
    'news/lists': `[${category(0)},${category(1)}]`,
    'misprints/new': '{}',
    'content/reveal': `{"id":${id(1)},"data":${wholeEntry},"sectionRelated":${entries}}`,
  }
}

/** Returns faults of the mock with these answers. */
export function documentedFaults(writing?: Writing) {
  return Object.entries(documentedAnswers(writing)).map(([call, body]) => ({
    match: { path: `/2.3/${call}` },
    fault: { status: 200, headers: { 'content-type': 'application/json' }, body },
  }))
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
