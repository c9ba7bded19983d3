import { z } from 'zod'
import type { App } from '../http/app'
import { newsCategorySchema, newsItemSchema, tweetSchema } from './answer-schemas'
import { answer, answerTweets, badParameter, described, sendContentError, unknown } from './content-answer'
import type { ContentService } from './content-service'
import { newsListsParameters, newsParameters, tweetsParameters } from './parameters'
import { pageOf, topNews, topTweets } from './selection'

const newsInCategory = 10

/** Adds tweets, news and news/lists below `base` (content-and-organization-apis.md, section 4, interface A). */
export function addNewsRoutes(app: App, base: string, service: ContentService): void {
  const isCategory = (listId: number) => service.data.categories.some(({ id }) => id === listId)

  app.get(
    `${base}/tweets`,
    {
      schema: {
        ...described('Top tweets of a list'),
        querystring: tweetsParameters,
        response: { 200: z.array(tweetSchema).describe('The tweets'), ...badParameter },
      },
    },
    ({ query }, reply) => {
      const listed = topTweets(service.data.tweets, query.listId, query.interval, service.now)
      return answerTweets(reply, service, pageOf(listed, query))
    },
  )
  app.get(
    `${base}/news`,
    {
      schema: {
        ...described('Top news'),
        querystring: newsParameters,
        response: {
          200: z.array(newsItemSchema).describe('The news'),
          ...badParameter,
          ...unknown('category'),
        },
      },
    },
    ({ query: { listId, interval, count } }, reply) =>
      listId !== undefined && !isCategory(listId)
        ? sendContentError(reply, 404, 'News category not found.')
        : answer(reply, service, topNews(service.data.news, listId, interval).slice(0, count)),
  )
  app.get(
    `${base}/news/lists`,
    {
      schema: {
        ...described('Categories of news'),
        querystring: newsListsParameters,
        response: {
          200: z.array(newsCategorySchema).describe('The categories'),
          ...badParameter,
          ...unknown('category'),
        },
      },
    },
    ({ query: { listId = 0, showSources } }, reply) => {
      if (listId !== 0 && !isCategory(listId)) {
        return sendContentError(reply, 404, 'News category not found.')
      }
      const { categories, news } = service.data
      const asked = categories.filter(({ id }) => listId === 0 || id === listId)
      return answer(
        reply,
        service,
        asked.map(({ id, name, sources }) => ({
          id,
          name,
          news: topNews(news, id, 'fresh').slice(0, newsInCategory),
          ...(showSources === 1 ? { sources } : {}),
        })),
      )
    },
  )
}
