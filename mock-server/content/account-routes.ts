import { z } from 'zod'
import type { App } from '../http/app'
import { currentUserId } from '../seed/content-users'
import { entrySchema, userSchema } from './answer-schemas'
import { answer, badParameter, described, sendContentError, unknown } from './content-answer'
import type { ContentService } from './content-service'
import { accountInfoParameters, accountPostsParameters } from './parameters'
import { newestFirst, pageOf } from './selection'

/** Adds account/info and account/posts below `base` (content-and-organization-apis.md, section 4, interface A). */
export function addAccountRoutes(app: App, base: string, service: ContentService): void {
  const userOf = (id: number = currentUserId) => service.data.users.find((user) => user.id === id)

  app.get(
    `${base}/account/info`,
    {
      schema: {
        ...described('A user'),
        querystring: accountInfoParameters,
        response: { 200: userSchema.describe('The user'), ...badParameter, ...unknown('user') },
      },
    },
    ({ query }, reply) => {
      const user = userOf(query.userId)
      return user === undefined
        ? sendContentError(reply, 404, 'User not found.')
        : answer(reply, service, user)
    },
  )
  app.get(
    `${base}/account/posts`,
    {
      schema: {
        ...described('What a user wrote, newest first'),
        querystring: accountPostsParameters,
        response: {
          200: z.array(entrySchema).describe('The entries'),
          ...badParameter,
          ...unknown('user'),
        },
      },
    },
    ({ query }, reply) => {
      const user = userOf(query.userId)
      if (user === undefined) return sendContentError(reply, 404, 'User not found.')
      const written = service.data.entries.filter(({ entry }) => entry.author.id === user.id)
      return answer(reply, service, pageOf(newestFirst(written), query))
    },
  )
}
