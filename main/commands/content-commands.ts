import type { CommandInput, contentCommands } from '../../contract/commands'
import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'
import type { Records } from '../loose'
import type { HtmlAllowance } from '../services/news/html-allowance'
import { withImageIds } from '../services/news/image-reference'
import type { NewsListsQuery, SearchQuery } from '../services/news/requests'
import type * as Shown from '../services/news/shown'
import { answerOf, type MaybeCached } from '../services/offline-cache/read-or-cached'
import type { InstanceOf } from './face'
import { voidHandler, type SharedHandlers, handler } from './handler'

type Client = ReadingClients['content']
type Shows = typeof Shown
/** An answer with the service's address, which pictures are relative to. */
type Read<Answer> = MaybeCached<Answer> & { readonly baseUrl: string }

interface OfInstance {
  readonly instanceId: string
}
/** What a terminal may leave out, so that the service chooses, or ask for besides. */
interface Counted {
  readonly offset?: number
  readonly count?: number
}
type Wider<Name extends keyof typeof contentCommands> = OfInstance &
  Partial<Omit<CommandInput<Name>, 'instanceId'>>
type ListOf = CommandInput<'listEntries'>['of']
type WiderList =
  | ({ readonly list: 'club' } & Partial<Extract<ListOf, { list: 'club' }>>)
  | Extract<ListOf, { list: 'posts' }>
  | (Extract<ListOf, { list: 'search' }> & Pick<SearchQuery, 'type'>)

/** Returns the handlers of the news commands. Picture URLs stay in main. */
export function contentHandlers(
  services: Pick<Services, 'content' | 'contentImages' | 'read'>,
  instanceOf: InstanceOf,
) {
  const { read, show, showList } = contentReading(services, instanceOf)
  return {
    listEntries: handler(
      async ({ of, offset, count, ...instance }: OfInstance & Counted & { readonly of: WiderList }, signal) =>
        read(
          instance,
          (client) => {
            switch (of.list) {
              case 'club':
                return client.club({ type: of.type, sortMode: of.sortMode, offset, count }, signal)
              case 'posts':
                return client.accountPosts({ userId: of.userId, offset, count }, signal)
              case 'search':
                return client.search({ q: of.q, type: of.type, offset, count }, signal)
            }
          },
          signal,
        ),
      showList((entry, by, allowance) => by.shownEntry(entry, allowance)),
    ),
    showEntry: handler(
      async ({ entryId, ...instance }: CommandInput<'showEntry'>, signal) =>
        read(instance, (client) => client.item(entryId, signal), signal),
      show((entry, by) => by.shownDetails(entry)),
    ),
    revealEntry: handler(
      async ({ address, ...instance }: CommandInput<'revealEntry'>, signal) =>
        read(instance, (client) => client.reveal(address, signal), signal),
      show(({ revealed, unreadable }, by) => ({ ...by.shownRevealed(revealed), unreadable })),
    ),
    showContentUser: handler(
      async ({ userId, ...instance }: CommandInput<'showContentUser'>, signal) =>
        read(instance, (client) => client.accountInfo({ userId }, signal), signal),
      show((user, by) => by.shownUser(user)),
    ),
    listTweets: handler(
      async ({ instanceId, ...query }: Wider<'listTweets'> & Counted, signal) =>
        read({ instanceId }, (client) => client.tweets(query, signal), signal),
      showList((tweet, by) => by.shownTweet(tweet)),
    ),
    listNews: handler(
      async ({ instanceId, ...query }: Wider<'listNews'> & Pick<Counted, 'count'>, signal) =>
        read({ instanceId }, (client) => client.news(query, signal), signal),
      showList((item, by) => by.shownNewsItem(item)),
    ),
    listNewsCategories: handler(
      async ({ instanceId, ...query }: OfInstance & NewsListsQuery, signal) =>
        read({ instanceId }, (client) => client.newsLists(query, signal), signal),
      showList((category, by) => by.shownCategory(category)),
    ),
    reportMisprint: voidHandler(
      async ({ instanceId, text, address }: CommandInput<'reportMisprint'>, signal) => {
        const client = await services.content(await instanceOf(instanceId), signal)
        await client.reportMisprint({ text, url: address }, signal)
      },
    ),
  } satisfies SharedHandlers<Exclude<keyof typeof contentCommands, 'openContentLink'>>
}

/** Returns how a command reads from the service, and how its answer is shown in the window. */
function contentReading(services: Pick<Services, 'contentImages' | 'read'>, instanceOf: InstanceOf) {
  const read = async <Answer>(
    { instanceId }: OfInstance,
    ask: (client: Client) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Read<Answer>> => {
    const answered = await services.read.content(
      await instanceOf(instanceId),
      async (client) => ({ answer: await ask(client), baseUrl: client.baseUrl }),
      signal,
    )
    const { answer, baseUrl } = answered.data
    return { ...answered, data: answer, baseUrl }
  }
  const show =
    <Answer, Data>(showOne: (answer: Answer, by: Shows) => Data | Promise<Data>) =>
    async ({ baseUrl, ...seen }: Read<Answer>) => {
      const { data, ...age } = answerOf<Answer>(seen)
      const given = await showOne(data, await import('../services/news/shown'))
      return {
        ...age,
        data: withImageIds(given, (imageUrl) => services.contentImages.idOf(imageUrl, baseUrl)),
      }
    }
  const showList = <Item, Data>(showOne: (item: Item, by: Shows, allowance: HtmlAllowance) => Data) => {
    const showAll = show(async ({ items, unreadable }: Records<Item>, by) => ({
      items: await by.shownInTurns(items, (item, allowance) => showOne(item, by, allowance)),
      unreadable,
    }))
    return async (seen: Read<Records<Item>>) => {
      const { data, ...age } = await showAll(seen)
      return { data: data.items, unreadable: data.unreadable, ...age }
    }
  }
  return { read, show, showList }
}
