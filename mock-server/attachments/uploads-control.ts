import { z } from 'zod'
import { call } from '../control/control-calls'
import { storageSwitches } from '../storage/object-storage'
import { topicSwitches, uploadNotificationSchema, type UploadNotification } from '../topic/topic'
import { attachmentIdOf } from './attachment'
import { attachmentsSwitches, type AttachmentsService } from './attachments-service'

const message = {
  messageId: z.string(),
  attachmentId: z.string(),
  subscriber: z.string(),
  notification: uploadNotificationSchema,
}
const time = z.string().describe("ISO 8601, by the mock's clock.")
const queued = z.object({ ...message, publishedAt: time, dueAt: time, failures: z.int().min(0) })
const delivery = z.object({
  ...message,
  time,
  outcome: z.enum(['handled', 'failed', 'lost']),
  note: z.string().describe('The result of the delivery, or the reason of its failure.'),
})
const uploads = z
  .object({
    switches: topicSwitches.schema,
    queued: z.array(queued).describe('The notifications that are not delivered yet, oldest first.'),
    deliveries: z.array(delivery).describe('The last hundred attempts, oldest first.'),
  })
  .describe('The topic between the object storage and the attachments service.')

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

function about({ messageId, notification }: { messageId: string; notification: UploadNotification }) {
  return {
    messageId,
    attachmentId: attachmentIdOf(notification.key),
    subscriber: 'attachments',
    notification,
  }
}

function stateOf({ storage: { uploads: topic } }: AttachmentsService): z.input<typeof uploads> {
  topic.deliverDue()
  return {
    switches: topic.switches.values,
    queued: topic.queued.map(({ publishedAt, dueAt, failures, ...waiting }) => ({
      ...about(waiting),
      publishedAt: iso(publishedAt),
      dueAt: iso(dueAt),
      failures,
    })),
    deliveries: topic.reports.map(({ time, outcome, note, ...report }) => ({
      ...about(report),
      time: iso(time),
      outcome,
      note,
    })),
  }
}

export const uploadsCalls = {
  'GET /storage': call({
    summary: 'Shows the faults of the object storage',
    answer: storageSwitches.schema,
    run: ({ world: { attachments } }) => attachments.storage.switches.values,
  }),
  'POST /storage': call({
    summary: 'Sets the faults of the object storage',
    body: storageSwitches.change,
    answer: storageSwitches.schema,
    run: ({ body, world: { attachments } }) => attachments.storage.switches.set(body),
  }),
  'GET /uploads': call({
    summary: 'Lists the notifications of uploads and their faults',
    answer: uploads,
    run: ({ world: { attachments } }) => stateOf(attachments),
  }),
  'POST /uploads/notify': call({
    summary: 'Delivers the notification of an upload, or changes how notifications are delivered',
    description:
      'With attachmentId, delivers the notification at once, even if it is held back, was delivered before or was lost, ' +
      'or if nothing was uploaded.',
    body: z.union(
      [
        z.strictObject({
          attachmentId: z.string().max(100).describe('Delivers the notification of this upload now.'),
        }),
        topicSwitches.change,
      ],
      {
        error:
          'must be {"attachmentId": "…"}, or at least one of {"hold": true or false, "delaySeconds": n, ' +
          '"duplicate": true or false, "lose": true or false, "failures": n}',
      },
    ),
    answer: uploads,
    refusals: { 404: 'There is no attachment with this id.', 409: 'The attachment is a link.' },
    run: ({ body, world: { attachments } }) => {
      if ('attachmentId' in body) attachments.notify(body.attachmentId)
      else attachments.storage.uploads.configure(body)
      return stateOf(attachments)
    },
  }),
  'POST /attachments/variant': call({
    summary:
      'Makes the attachments service answer like a server that deviates from the specification, or as specified',
    body: attachmentsSwitches.change,
    answer: attachmentsSwitches.schema,
    run: ({ body, world: { attachments } }) => attachments.switches.set(body),
  }),
}
