import type { z } from 'zod'
import type { contentCommands } from '../../preload/content-contract'
import type { ContentClient } from '../content/content-client'
import { withImageIds } from '../content/image-reference'
import {
  shownCategory,
  shownEntry,
  shownNewsItem,
  shownRevealed,
  shownTweet,
  shownUser,
  shownWholeEntry,
} from '../content/shown'
import { CausewayError } from '../errors'
import type { Instance } from '../instance/instance'

type Commands = typeof contentCommands

export type ContentCommandHandlers = {
  readonly [Name in keyof Commands]: (
    input: z.infer<Commands[Name]['input']>,
  ) => Promise<z.infer<Commands[Name]['output']>>
}

export interface ContentCommandServices {
  content(instance: Instance): Promise<ContentClient>
  openBrowser(url: URL): Promise<void>
}

/**
 * What the window asks of the news of an instance. Addresses of pictures are left in main: `imageIdOf` names each for the
 * page, for a service at this base address.
 */
export function contentCommandHandlers(
  services: ContentCommandServices,
  instanceOf: (instanceId: string) => Instance,
  imageIdOf: (imageUrl: string, baseUrl: string) => string,
): ContentCommandHandlers {
  const read = async <Answer, Shown>(
    instanceId: string,
    ask: (client: ContentClient) => Promise<Answer>,
    shown: (answer: Answer) => Shown,
  ) => {
    const client = await services.content(instanceOf(instanceId))
    const data = shown(await ask(client))
    return { data: withImageIds(data, (imageUrl) => imageIdOf(imageUrl, client.baseUrl)) }
  }

  return {
    listEntries: ({ instanceId, of, offset }) =>
      read(
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
        (entries) => entries.map(shownEntry),
      ),
    showEntry: ({ instanceId, entryId }) =>
      read(instanceId, (client) => client.item(entryId), shownWholeEntry),
    revealEntry: ({ instanceId, address }) =>
      read(instanceId, (client) => client.reveal(address), shownRevealed),
    showContentUser: ({ instanceId, userId }) =>
      read(instanceId, (client) => client.accountInfo({ userId }), shownUser),
    listTweets: ({ instanceId, ...query }) =>
      read(
        instanceId,
        (client) => client.tweets(query),
        (tweets) => tweets.map(shownTweet),
      ),
    listNews: ({ instanceId, ...query }) =>
      read(
        instanceId,
        (client) => client.news(query),
        (items) => items.map(shownNewsItem),
      ),
    listNewsCategories: ({ instanceId }) =>
      read(
        instanceId,
        (client) => client.newsLists(),
        (categories) => categories.map(shownCategory),
      ),
    reportMisprint: async ({ instanceId, text, address }) => {
      const client = await services.content(instanceOf(instanceId))
      await client.reportMisprint({ text, url: address })
    },
    openContentLink: async ({ url }) => {
      if (!URL.canParse(url)) {
        throw new CausewayError(
          'usage/invalid-argument',
          'This is not the address of a page. Open it from its page instead.',
        )
      }
      await services.openBrowser(new URL(url))
    },
  }
}
