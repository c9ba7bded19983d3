import { z } from 'zod'
import { badInput, described, errorSchema } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { uploadNotificationSchema } from '../storage/object-storage'
import { addStorageControl } from '../storage/storage-control'
import type { Delivery, DeliveryReport } from '../topic/topic'
import { attachmentIdOf } from './attachment'
import type { AttachmentsService } from './attachments-service'

const switches = z.object({
  hold: z.boolean().describe('Notifications are kept back; false delivers them all.'),
  delaySeconds: z
    .number()
    .min(0)
    .max(1e9)
    .describe("How long, by the mock's clock, a notification takes that is published from now on."),
  duplicate: z.boolean().describe('Each notification is delivered twice.'),
  lose: z
    .boolean()
    .describe('Notifications are lost; one can still be delivered by the id of its attachment.'),
  failures: z
    .int()
    .min(0)
    .max(1000)
    .describe(
      'So many of the next deliveries fail and are tried again, after pauses of 1, 2, 4, … 60 seconds.',
    ),
})
const { shape } = switches
const notify = z.union(
  [
    z.strictObject({
      attachmentId: z.string().max(100).describe('Delivers the notification of this upload now.'),
    }),
    z
      .strictObject({
        hold: shape.hold.exactOptional(),
        delaySeconds: shape.delaySeconds.exactOptional(),
        duplicate: shape.duplicate.exactOptional(),
        lose: shape.lose.exactOptional(),
        failures: shape.failures.exactOptional(),
      })
      .refine((change) => Object.keys(change).length > 0)
      .meta({ minProperties: 1 }),
  ],
  {
    error:
      'must be {"attachmentId": "…"}, or at least one of {"hold": true or false, "delaySeconds": n, ' +
      '"duplicate": true or false, "lose": true or false, "failures": n}',
  },
)

const message = {
  messageId: z.string(),
  attachmentId: z.string(),
  subscriber: z.string(),
  notification: uploadNotificationSchema,
}
const time = z.string().describe("ISO 8601, by the mock's clock.")
const uploads = z
  .object({
    switches,
    queued: z
      .array(z.object({ ...message, publishedAt: time, dueAt: time, failures: z.int().min(0) }))
      .describe('What waits, oldest first.'),
    deliveries: z
      .array(
        z.object({
          ...message,
          time,
          outcome: z.enum(['handled', 'failed', 'lost']),
          note: z.string().describe('What the subscriber said of it, or why it failed.'),
        }),
      )
      .describe('The last hundred attempts, oldest first.'),
  })
  .describe('The topic between the object storage and the attachments service.')

type Notification = z.infer<typeof uploadNotificationSchema>
type Uploads = z.infer<typeof uploads>

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function about({ messageId, subscriber, payload }: Delivery<Notification> | DeliveryReport<Notification>) {
  return { messageId, attachmentId: attachmentIdOf(payload.key), subscriber, notification: payload }
}

function stateOf({ storage }: AttachmentsService): Uploads {
  const topic = storage.uploads
  topic.deliverDue()
  return {
    switches: topic.switches,
    queued: topic.queued.map((delivery) => ({
      ...about(delivery),
      publishedAt: iso(delivery.publishedAt),
      dueAt: iso(delivery.dueAt),
      failures: delivery.failures,
    })),
    deliveries: topic.reports.map((report) => ({
      ...about(report),
      time: iso(report.time),
      outcome: report.outcome,
      note: report.note,
    })),
  }
}

/** Adds the control calls for upload notifications and for the answer variants, below `base`. */
export function addUploadsControl(app: App, base: string, service: AttachmentsService): void {
  addStorageControl(app, base, service.storage)
  app.get(
    `${base}/uploads`,
    {
      schema: {
        ...described('Lists the notifications of uploads and their faults'),
        response: { 200: uploads },
      },
    },
    (_request, reply) => sendJson(reply, 200, stateOf(service)),
  )
  app.post(
    `${base}/uploads/notify`,
    {
      schema: {
        ...described(
          'Delivers the notification of an upload, or changes how notifications are delivered',
          'With attachmentId it is delivered at once, even when it is held back, was delivered before or was lost, and ' +
            'also when nothing was uploaded.',
        ),
        body: notify,
        response: {
          200: uploads,
          ...badInput,
          404: errorSchema('There is no attachment with this id.'),
          409: errorSchema('The attachment is a link.'),
        },
      },
    },
    ({ body }, reply) => {
      if (!('attachmentId' in body)) {
        service.storage.uploads.configure(body)
        return sendJson(reply, 200, stateOf(service))
      }
      switch (service.notify(body.attachmentId)) {
        case 'delivered':
          return sendJson(reply, 200, stateOf(service))
        case 'unknown':
          return sendJson(reply, 404, { error: 'There is no attachment with this id.' })
        case 'link':
          return sendJson(reply, 409, { error: 'The attachment is a link: nothing is uploaded for it.' })
      }
    },
  )

  const variant = z
    .strictObject({
      wholeEntity: z
        .boolean()
        .exactOptional()
        .describe('Create answers with the whole attachment, and lists are {items, totalCount}.'),
      oldestFirst: z.boolean().exactOptional().describe('Lists begin with the oldest update.'),
      listDelaySeconds: z
        .number()
        .min(0)
        .max(1e9)
        .exactOptional()
        .describe("How long, by the mock's clock, lists do not show an attachment that was created."),
      strict: z
        .boolean()
        .exactOptional()
        .describe('Parameters and fields that are not in the document are answered 400, which names them.'),
      mostOnPage: z
        .int()
        .min(1)
        .max(1e9)
        .nullable()
        .exactOptional()
        .describe('No list has more on a page, whatever is asked; null for as many as are asked for.'),
      badRecords: z
        .boolean()
        .exactOptional()
        .describe('Lists begin with three records that are not what the document says.'),
    })
    .refine((change) => Object.keys(change).length > 0, { error: 'must name what to change' })
    .meta({ minProperties: 1 })
  app.post(
    `${base}/attachments/variant`,
    {
      schema: {
        ...described(
          'Makes the attachments service answer like a server that deviates from the specification, or as specified',
        ),
        body: variant,
        response: { 200: variant, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.configure(body)
      return sendJson(reply, 200, body)
    },
  )
}
