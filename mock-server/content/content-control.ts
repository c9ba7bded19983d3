import { z } from 'zod'
import { described, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { ContentService } from './content-service'
import { misprintSchema } from './misprints'

/** Adds the control calls of the content API below `base`. */
export function addContentControl(app: App, base: string, service: ContentService): void {
  app.get(
    `${base}/misprints`,
    {
      schema: {
        ...described('Lists the reported misprints, newest last'),
        response: { 200: z.array(misprintSchema).describe('The newest 1000') },
      },
    },
    (_request, reply) => sendJson(reply, 200, service.misprints.all),
  )
  app.delete(
    `${base}/misprints`,
    { schema: { ...described('Deletes the reported misprints'), response: { 200: okSchema } } },
    (_request, reply) => {
      service.misprints.clear()
      return sendOk(reply)
    },
  )
}
