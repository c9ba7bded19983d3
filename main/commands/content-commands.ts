import type { contentCommands } from '../../contract/news'
import { withImageIds } from '../services/news/image-reference'
import type { Records } from '../loose'
import type * as Shown from '../services/news/shown'
import { CausewayError } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { Instance } from '../portal/instance/instance'
import { answerOf } from '../services/offline-cache/read-or-recall'
import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'

/**
 * Returns the handlers of the news commands. Picture URLs stay in main.
 */
export function contentCommandHandlers(
  services: Pick<Services, 'content' | 'contentImages' | 'read' | 'openBrowser'>,
  instanceOf: (instanceId: string) => Instance,
): CommandHandlers<keyof typeof contentCommands> {
  const read = async <Answer, Data>(
    instanceId: string,
    ask: (client: ReadingClients['content']) => Promise<Answer>,
    show: (answer: Answer, by: typeof Shown) => Data,
  ) => {
    const seen = await services.read.content(instanceOf(instanceId), async (client) => {
      const shown = show(await ask(client), await import('../services/news/shown'))
      return withImageIds(shown, (imageUrl) => services.contentImages.idOf(imageUrl, client.baseUrl))
    })
    return answerOf(seen)
  }

  const readList = async <Item, Shown>(
    instanceId: string,
    ask: (client: ReadingClients['content']) => Promise<Records<Item>>,
    show: (item: Item, by: typeof Shown) => Shown,
  ) => {
    const { data, ...old } = await read(instanceId, ask, ({ items, unreadable }, by) => ({
      items: items.map((item) => show(item, by)),
      unreadable,
    }))
    return { data: data.items, unreadable: data.unreadable, ...old }
  }

  return {
    listEntries: ({ instanceId, of, offset }) =>
      readList(
        instanceId,
        (client) => {
          switch (of.list) {
            case 'club':
              return client.club({ type: of.type, sortMode: of.sortMode, offset })
            case 'posts':
              return client.accountPosts({ userId: of.userId, offset })
            case 'search':
              return client.search({ q: of.q, offset })
          }
        },
        (entry, by) => by.shownEntry(entry),
      ),
    showEntry: ({ instanceId, entryId }) =>
      read(
        instanceId,
        (client) => client.item(entryId),
        (entry, by) => by.shownDetails(entry),
      ),
    revealEntry: ({ instanceId, address }) =>
      read(
        instanceId,
        (client) => client.reveal(address),
        ({ revealed, unreadable }, by) => ({ ...by.shownRevealed(revealed), unreadable }),
      ),
    showContentUser: ({ instanceId, userId }) =>
      read(
        instanceId,
        (client) => client.accountInfo({ userId }),
        (user, by) => by.shownUser(user),
      ),
    listTweets: ({ instanceId, ...query }) =>
      readList(
        instanceId,
        (client) => client.tweets(query),
        (tweet, by) => by.shownTweet(tweet),
      ),
    listNews: ({ instanceId, ...query }) =>
      readList(
        instanceId,
        (client) => client.news(query),
        (item, by) => by.shownNewsItem(item),
      ),
    listNewsCategories: ({ instanceId }) =>
      readList(
        instanceId,
        (client) => client.newsLists(),
        (category, by) => by.shownCategory(category),
      ),
    reportMisprint: async ({ instanceId, text, address }) => {
      const client = await services.content(instanceOf(instanceId))
      await client.reportMisprint({ text, url: address })
    },
    openContentLink: async ({ url }) => {
      if (!URL.canParse(url)) {
        throw new CausewayError('usage/invalid-argument')
      }
      await services.openBrowser(new URL(url))
    },
  }
}
