import type { z } from 'zod'
import type { contentCommands } from '../../contract/news'
import type { ContentClient } from '../services/news/content-client'
import { withImageIds } from '../services/news/image-reference'
import type { Records } from '../loose'
import type * as Shown from '../services/news/shown'
import { CausewayError } from '../errors'
import type { Instance } from '../portal/instance/instance'
import { answerOf } from '../services/offline-cache/read-or-recall'
import type { ReadingClients, CachedReads } from '../app/cached-reads'

type Commands = typeof contentCommands
type Show = typeof Shown

export type ContentCommandHandlers = {
  readonly [Name in keyof Commands]: (
    input: z.infer<Commands[Name]['input']>,
  ) => Promise<z.infer<Commands[Name]['output']>>
}

export interface ContentCommandServices {
  content(instance: Instance): Promise<ContentClient>
  readonly read: Pick<CachedReads, 'content'>
  openBrowser(url: URL): Promise<void>
}

/**
 * Returns the handlers of the news commands. Picture URLs stay in main: `imageIdOf` returns the id of a picture of the service
 * at the base URL.
 */
export function contentCommandHandlers(
  services: ContentCommandServices,
  instanceOf: (instanceId: string) => Instance,
  imageIdOf: (imageUrl: string, baseUrl: string) => string,
): ContentCommandHandlers {
  const read = async <Answer, Data>(
    instanceId: string,
    ask: (client: ReadingClients['content']) => Promise<Answer>,
    show: (answer: Answer, by: Show) => Data,
  ) => {
    const seen = await services.read.content(instanceOf(instanceId), async (client) => {
      const shown = show(await ask(client), await import('../services/news/shown'))
      return withImageIds(shown, (imageUrl) => imageIdOf(imageUrl, client.baseUrl))
    })
    return answerOf(seen)
  }

  const readList = async <Item, Shown>(
    instanceId: string,
    ask: (client: ReadingClients['content']) => Promise<Records<Item>>,
    show: (item: Item, by: Show) => Shown,
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
