import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { badInput, described } from '../control/replies'
import type { ObjectStorage } from './object-storage'

const switches = z.strictObject({
  full: z.boolean().describe('Uploads are refused with 507.'),
  empty: z.boolean().describe('Every file is missing.'),
  urlLifetimeSeconds: z
    .int()
    .min(0)
    .max(1e9)
    .describe(
      'How long pre-signed URLs live that are made from now on; 0 makes them expired from the start.',
    ),
  uploadBytesPerSecond: z
    .int()
    .min(1)
    .max(1e12)
    .nullable()
    .describe('How fast uploads are read; null for as fast as they come.'),
  earlyRefusals: z
    .int()
    .min(0)
    .max(1000)
    .describe(
      'So many of the next uploads are answered 403 before they are read, and their connection is closed.',
    ),
})
const change = z.strictObject({
  full: switches.shape.full.exactOptional(),
  empty: switches.shape.empty.exactOptional(),
  urlLifetimeSeconds: switches.shape.urlLifetimeSeconds.exactOptional(),
  uploadBytesPerSecond: switches.shape.uploadBytesPerSecond.exactOptional(),
  earlyRefusals: switches.shape.earlyRefusals.exactOptional(),
})

/** Adds the control calls of the object storage below `base`. */
export function addStorageControl(app: App, base: string, storage: ObjectStorage): void {
  app.get(
    `${base}/storage`,
    { schema: { ...described('Shows the faults of the object storage'), response: { 200: switches } } },
    (_request, reply) => sendJson(reply, 200, storage.switches),
  )
  app.post(
    `${base}/storage`,
    {
      schema: {
        ...described('Sets the faults of the object storage'),
        body: change,
        response: { 200: switches, ...badInput },
      },
    },
    ({ body }, reply) => {
      storage.configure(body)
      return sendJson(reply, 200, storage.switches)
    },
  )
}
