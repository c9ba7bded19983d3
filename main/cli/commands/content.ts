import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Entry } from '../../services/news/answers'
import type { Records } from '../../loose'
import { windowLine } from '../../../contract/safe-text'
import { contentChoices } from '../../../contract/choices'
import type {
  ClubQuery,
  NewsListsQuery,
  NewsQuery,
  SearchQuery,
  TweetsQuery,
} from '../../services/news/requests'
import { CausewayError, report } from '../../errors'
import type { MaybeCached } from '../../services/offline-cache/read-or-cached'
import type { Context } from '../command-context'
import { type InstanceContext, onInstance, withInstance } from '../context'
import { t } from '../language'
import { withNumericIds } from './content-json'
import { day, entryText, revealedText, tweetText, userText } from './content-text'
import { table } from '../terminal'

type AddCommand = (words: string, description: string) => Command

/**
 * Adds `causeway content …` (docs/terminal.md; content-and-organization-apis.md, interface A). The HTML sanitizer
 * is loaded only when needed, because that takes longer than most commands.
 */
export function addContentCommands(program: Command): void {
  const content = program.command('content').description('read news from the community around an instance')
  const command: AddCommand = (words, description) =>
    withInstance(content.command(words).description(description))

  addAccountCommands(command)
  addEntryCommands(command)
  addNewsCommands(command)
  addPageCommands(command)
}

function addAccountCommands(command: AddCommand): void {
  const user = new Option('--user <id>', "the user's ID (default: the current user)").argParser(idOption)

  command('account-info', 'show a user')
    .addOption(user)
    .action(
      onInstance<[{ readonly user?: string }]>(async (context, { user }) => {
        const answer = await context.run('showContentUser', { ...of(context), userId: user })
        const data = context.dataOf(answer)
        const { shownUser } = await import('../../services/news/shown')
        context.terminal.result(withNumericIds(data), userText(shownUser(data)))
      }),
    )

  command('account-posts', "list a user's posts, newest first")
    .addOption(user)
    .addOption(countOption())
    .addOption(offsetOption())
    .action(
      onInstance<[{ readonly user?: string; readonly count?: number; readonly offset?: number }]>(
        async (context, { user, count, offset }) => {
          const list = { of: { list: 'posts', userId: user }, count, offset } as const
          const entries = read(context, await context.run('listEntries', { ...of(context), ...list }))
          context.terminal.result(withNumericIds(entries), entryTable(entries))
        },
      ),
    )
}

function addEntryCommands(command: AddCommand): void {
  command('club', 'list entries')
    .addOption(countOption())
    .addOption(offsetOption())
    .addOption(
      new Option('--type <number>', '0 all, 1 news, 2 off-topic, 3 video, 4 articles').argParser(wholeNumber),
    )
    .addOption(
      new Option('--sort-mode <mode>', 'which entries, and in what order').choices([
        ...contentChoices.sortModes,
      ]),
    )
    .action(
      onInstance<[ClubQuery]>(async (context, { type, sortMode, count, offset }) => {
        const list = { of: { list: 'club', type, sortMode }, count, offset } as const
        const entries = read(context, await context.run('listEntries', { ...of(context), ...list }))
        context.terminal.result(withNumericIds(entries), entryTable(entries))
      }),
    )

  command('item <id>', 'show an entry and its text').action(
    onInstance<[string, object]>(async (context, id) => {
      const entryId = withoutZeros(id)
      const entry = context.dataOf(await context.run('showEntry', { ...of(context), entryId }))
      const { shownDetails } = await import('../../services/news/shown')
      context.terminal.result(withNumericIds(entry), entryText(shownDetails(entry)))
    }),
  )

  command('search [words...]', 'list entries that contain all these words, newest first')
    .option('--hashtag <word...>', 'only entries with these hashtags, written without #')
    .addOption(countOption())
    .addOption(offsetOption())
    .addOption(
      new Option('--type <number>', 'the service to search; only 1 (the club) exists').argParser(wholeNumber),
    )
    .addHelpText(
      'after',
      '\nShells treat # as the start of a comment: put hashtags in quotes, as in "#vpn", or use --hashtag vpn.',
    )
    .action(
      onInstance<[string[], Omit<SearchQuery, 'q'> & { readonly hashtag?: string[] }]>(
        async (context, words, { hashtag = [], count, offset, type }) => {
          const q = searchText(words, hashtag)
          const list = { of: { list: 'search', q, type }, count, offset } as const
          const entries = read(context, await context.run('listEntries', { ...of(context), ...list }))
          context.terminal.result(withNumericIds(entries), entryTable(entries))
        },
      ),
    )
}

function addNewsCommands(command: AddCommand): void {
  command('tweets', 'list the top tweets')
    .addOption(countOption())
    .addOption(offsetOption())
    .addOption(new Option('--list <number>', 'which list: 1, 2 or 3').argParser(wholeNumber))
    .addOption(new Option('--interval <interval>', 'the period').choices([...contentChoices.tweetIntervals]))
    .action(
      onInstance<[Omit<TweetsQuery, 'listId'> & { readonly list?: TweetsQuery['listId'] }]>(
        async (context, { list, count, offset, interval }) => {
          const query = { listId: list, count, offset, interval }
          const tweets = read(context, await context.run('listTweets', { ...of(context), ...query }))
          const { shownTweet } = await import('../../services/news/shown')
          const shown = tweets.map((tweet) => tweetText(shownTweet(tweet)))
          context.terminal.result(
            withNumericIds(tweets),
            shown.length === 0 ? t('terminal.content.noTweets') : shown.join('\n\n'),
          )
        },
      ),
    )

  command('news', 'list the top news from other publishers')
    .addOption(countOption())
    .addOption(
      new Option('--list <id>', 'only this category (see causeway content categories)').argParser(idOption),
    )
    .addOption(
      new Option('--interval <interval>', 'order by date or by rating').choices([
        ...contentChoices.newsIntervals,
      ]),
    )
    .action(
      onInstance<[Omit<NewsQuery, 'listId'> & { readonly list?: string }]>(
        async (context, { list, count, interval }) => {
          const query = { listId: list, count, interval }
          const news = read(context, await context.run('listNews', { ...of(context), ...query }))
          const { shownNewsItem } = await import('../../services/news/shown')
          const shown = news.map(shownNewsItem).map(({ id, date, source, title, page }) => {
            const about = [day(date), source?.name ?? ''].filter((part) => part !== '').join(' · ')
            return [
              `${id}  ${about}`,
              ...(title === '' ? [] : [`  ${title}`]),
              ...(page === undefined ? [] : [`  ${page.url}`]),
            ].join('\n')
          })
          context.terminal.result(
            withNumericIds(news),
            shown.length === 0 ? t('terminal.content.noNews') : shown.join('\n'),
          )
        },
      ),
    )

  command('categories', 'list news categories')
    .addOption(new Option('--list <id>', 'only this category; 0 means all').argParser(idOption))
    .option('--no-sources', "leave out each category's publishers")
    .action(
      onInstance<[{ readonly list?: string; readonly sources: boolean }]>(async (context, options) => {
        const query: NewsListsQuery = { listId: options.list, showSources: options.sources ? undefined : 0 }
        const answer = await context.run('listNewsCategories', { ...of(context), ...query })
        const categories = read(context, answer)
        const rows = categories.map(({ id, name, sources }) => [
          id,
          windowLine(name, 60),
          ...(options.sources ? [sources.map((source) => windowLine(source.name, 40)).join(', ')] : []),
        ])
        const header = [
          t('terminal.column.id'),
          t('terminal.column.name'),
          ...(options.sources ? [t('terminal.column.sources')] : []),
        ]
        context.terminal.result(
          withNumericIds(categories),
          rows.length === 0 ? t('terminal.content.noCategories') : table(header, rows),
        )
      }),
    )
}

function addPageCommands(command: AddCommand): void {
  command('reveal <url>', 'show the entry of a web page').action(
    onInstance<[string, object]>(async (context, url) => {
      const answer = await context.run('revealEntry', { ...of(context), address: url })
      const { revealed, unreadable } = context.dataOf(answer)
      tellUnreadable(context, unreadable)
      const { shownRevealed } = await import('../../services/news/shown')
      context.terminal.result(withNumericIds(revealed), revealedText(shownRevealed(revealed)))
    }),
  )

  command('report-misprint', 'report a misprint to the editors')
    .requiredOption('--url <address>', 'the address of the page')
    .requiredOption('--text <text>', 'the misprinted text')
    .action(
      onInstance<[{ readonly url: string; readonly text: string }]>(async (context, { url, text }) => {
        await context.run('reportMisprint', { ...of(context), address: url, text })
        context.terminal.result({ url, text, reported: true }, t('terminal.content.reported'))
      }),
    )
}

function countOption(): Option {
  return new Option('--count <number>', 'the maximum number of results, 1 to 50').argParser(wholeNumber)
}

function offsetOption(): Option {
  return new Option('--offset <number>', 'the number of results to skip').argParser(wholeNumber)
}

function of({ instance }: InstanceContext) {
  return { instanceId: instance.id }
}

/** Returns the records of a list that are valid, and warns about the others. */
function read<Item>(context: Context, seen: MaybeCached<Records<Item>>): readonly Item[] {
  const { items, unreadable } = context.dataOf(seen)
  tellUnreadable(context, unreadable)
  return items
}

function tellUnreadable({ terminal }: Context, unreadable: number): void {
  if (unreadable === 0) return
  terminal.warn(report('content/invalid-response', { variant: 'unreadable', details: { unreadable } }))
}

const kinds = [undefined, 'news', 'off-topic', 'video', 'article'] as const
const widthOfOtherColumns = 34

function entryTable(entries: readonly Entry[]): string {
  if (entries.length === 0) return t('terminal.content.noEntries')
  const width = Math.max(30, (process.stdout.isTTY ? process.stdout.columns : 154) - widthOfOtherColumns)
  const rows = entries.map(({ id, date, type, title }) => [
    id,
    day(date),
    kindName(type),
    windowLine(title, width),
  ])
  const header = [
    t('terminal.column.id'),
    t('terminal.column.date'),
    t('terminal.column.type'),
    t('terminal.column.title'),
  ]
  return table(header, rows)
}

function kindName(type: number | undefined): string {
  const kind = kinds[type ?? 0]
  return kind === undefined ? '' : t(`terminal.content.kind.${kind}`)
}

function searchText(words: readonly string[], hashtags: readonly string[]): string {
  const text = [...words, ...hashtags.map((word) => `#${word.replace(/^#/, '')}`)].join(' ')
  if (text.trim() !== '') return text
  throw new CausewayError('usage/invalid-argument', { variant: 'empty-search' })
}

/** Parses a whole number. The service's client checks its range. */
function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

function idOption(text: string): string {
  if (/^\d{1,100}$/.test(text)) return withoutZeros(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

function withoutZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '')
}
