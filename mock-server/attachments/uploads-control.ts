import { z } from 'zod'
import { ControlRefusal, type ControlCalls } from '../control/control-calls'
import { uploadNotificationSchema } from '../storage/object-storage'
import type { Delivery, DeliveryReport } from '../topic/topic'
import { attachmentIdOf } from './attachment'
import type { AttachmentsService } from './attachments-service'

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

type Notification = z.infer<typeof uploadNotificationSchema>

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

function about({ messageId, subscriber, payload }: Delivery<Notification> | DeliveryReport<Notification>) {
  return { messageId, attachmentId: attachmentIdOf(payload.key), subscriber, notification: payload }
}

/** Adds the calls for the object storage, the notifications of uploads, and the variants of the answers. */
export function addUploadsCalls(calls: ControlCalls, service: AttachmentsService): void {
  const { storage, switches } = service
  const topic = storage.uploads
  calls.add('GET /storage', {
    summary: 'Shows the faults of the object storage',
    answer: storage.switches.schema,
    run: () => storage.switches.values,
  })
  calls.add('POST /storage', {
    summary: 'Sets the faults of the object storage',
    body: storage.switches.change,
    answer: storage.switches.schema,
    run: ({ body }) => {
      storage.switches.set(body)
      return storage.switches.values
    },
  })

  const uploads = z
    .object({
      switches: topic.switches.schema,
      queued: z.array(queued).describe('The notifications that are not delivered yet, oldest first.'),
      deliveries: z.array(delivery).describe('The last hundred attempts, oldest first.'),
    })
    .describe('The topic between the object storage and the attachments service.')
  const state = (): z.input<typeof uploads> => {
    topic.deliverDue()
    return {
      switches: topic.switches.values,
      queued: topic.queued.map((waiting) => ({
        ...about(waiting),
        publishedAt: iso(waiting.publishedAt),
        dueAt: iso(waiting.dueAt),
        failures: waiting.failures,
      })),
      deliveries: topic.reports.map((report) => ({
        ...about(report),
        time: iso(report.time),
        outcome: report.outcome,
        note: report.note,
      })),
    }
  }
  calls.add('GET /uploads', {
    summary: 'Lists the notifications of uploads and their faults',
    answer: uploads,
    run: state,
  })
  const attachmentId = z.string().max(100).describe('Delivers the notification of this upload now.')
  calls.add('POST /uploads/notify', {
    summary: 'Delivers the notification of an upload, or changes how notifications are delivered',
    description:
      'With attachmentId, delivers the notification at once, even if it is held back, was delivered before or was lost, ' +
      'or if nothing was uploaded.',
    body: z.union([z.strictObject({ attachmentId }), topic.switches.change], {
      error:
        'must be {"attachmentId": "…"}, or at least one of {"hold": true or false, "delaySeconds": n, ' +
        '"duplicate": true or false, "lose": true or false, "failures": n}',
    }),
    answer: uploads,
    refusals: { 404: 'There is no attachment with this id.', 409: 'The attachment is a link.' },
    run: ({ body }) => {
      if ('attachmentId' in body) deliver(service, body.attachmentId)
      else topic.configure(body)
      return state()
    },
  })
  calls.add('POST /attachments/variant', {
    summary:
      'Makes the attachments service answer like a server that deviates from the specification, or as specified',
    body: switches.change,
    answer: switches.schema,
    run: ({ body }) => {
      switches.set(body)
      return switches.values
    },
  })
}

function deliver(service: AttachmentsService, id: string): void {
  switch (service.notify(id)) {
    case 'delivered':
      return
    case 'unknown':
      throw new ControlRefusal(404, 'There is no attachment with this id.')
    case 'link':
      throw new ControlRefusal(409, 'The attachment is a link: nothing is uploaded for it.')
  }
}
