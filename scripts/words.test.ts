import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** One word per thing, in what people read: the English texts, the help of the terminal command and of the mock server, the docs. */

const root = join(import.meta.dirname, '..')

/** What isn't said, and what is said instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\blog(?:s|ged|ging)?[ -](?:(?:you|them|people|back) )?(?:in|into|out|on|off)\b/i, 'sign in, sign out'],
  [/\be-?mails?\b(?<!e-mails?)/i, 'e-mail'],
  [/\bsuch as WireGuard\b/, 'nothing: the protocol works'],
]
/** The noun, which the code and the docs of its parts use for the tokens of a service. */
const login: readonly [RegExp, string] = [/\blog(?:ins?|outs?)\b/i, 'sign-in']

/** The system's own words. */
const exceptions = /\bLogin Items\b|\blogin items?\b|\b(?:start(?:s|ed)?|programs|connect)? ?at login\b/gi

/** Docs about the parts of Causeway and the mock server. */
const technical =
  /^(?:architecture|calls|expiry|faults|helper|mock-\w+|performance|platforms|portal-api|proxies|releasing|reliability|security|testing)\.md$/

async function filesIn(folder: string, name: RegExp): Promise<readonly (readonly [string, string])[]> {
  const names = (await readdir(join(root, folder), { recursive: true })).filter(
    (each) => name.test(each) && !/node_modules|\.test\./.test(each),
  )
  expect(names.length).toBeGreaterThan(0)
  return Promise.all(
    names.map(async (each) => [each, await readFile(join(root, folder, each), 'utf8')] as const),
  )
}

/** Leaves out code, and where links lead. */
const prose = (text: string): string =>
  text.replace(/^```[^]*?^```/gm, '').replace(/`[^`]*`|\]\([^)]*\)|<!--.*?-->/g, ' ')

/** Returns the texts of a namespace, without their keys, values put in, and commands to type. */
const texts = (json: string): string =>
  json.replace(/^\s*"[^"]+":/gm, '').replace(/{{\w+}}|causeway [a-z]+|--[\w-]+/g, ' ')

/** Returns the string literals that have a space, so that they are read. */
const literals = (code: string): string =>
  (code.match(/'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"/g) ?? []).join('\n')

function matches(text: string, wanted: typeof words): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const rest = line.replace(exceptions, ' ')
    return wanted.flatMap(([pattern, instead]) => {
      const hit = pattern.exec(rest)
      return hit === null ? [] : [`${hit[0]} (say: ${instead}) in: ${line.trim()}`]
    })
  })
}

describe('people read one word per thing', () => {
  it('in the English texts', async () => {
    for (const [name, text] of await filesIn('contract/locales/en', /\.json$/))
      expect(matches(texts(text), [...words, login]), name).toEqual([])
  })

  it('in the help of the terminal command', async () => {
    for (const [name, text] of await filesIn('main/cli', /\.ts$/))
      expect(matches(literals(text), words), name).toEqual([])
  })

  it('on the pages of the mock server, and in its help', async () => {
    for (const [name, text] of await filesIn('mock-server', /(?:page|command-line|control)\.ts$/))
      expect(matches(literals(text), words), name).toEqual([])
  })

  it('in the docs', async () => {
    for (const [name, text] of await filesIn('docs', /\.md$/))
      expect(matches(prose(text), technical.test(name) ? words : [...words, login]), name).toEqual([])
    for (const name of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'])
      expect(matches(prose(await readFile(join(root, name), 'utf8')), [...words, login]), name).toEqual([])
  })
})

it.each([
  'Log in with your browser.',
  'The service logged you out.',
  'Type your email address.',
  'Emails are kept.',
  'Your login has expired.',
])('finds "%s"', (text) => {
  expect(matches(text, [...words, login])).toHaveLength(1)
})

it.each(['Your e-mail address', 'Start at login', 'under General > Login Items', 'Sign in'])(
  'lets "%s" pass',
  (text) => {
    expect(matches(text, [...words, login])).toEqual([])
  },
)
