import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getEachMessage, sendMessage } from 'execa'
import { z } from 'zod'
import { AttachmentTransfers } from '../main/services/attachments/attachment-transfers'
import { createAttachmentsClient } from '../main/services/attachments/create-attachments-client'
import { createFileTransport } from '../main/platform/http/file-transport'
import { createHttpClient } from '../main/platform/http/http-client'

const message = z.object({ baseUrl: z.url(), path: z.string(), attachmentId: z.string().optional() })

/**
 * Uploads one file per message with the app's code, or downloads an attachment to the path; answers with the duration of the
 * transfer and the peak memory of this process.
 */
for await (const given of getEachMessage()) {
  const { baseUrl, path, attachmentId } = message.parse(given)
  const client = createAttachmentsClient({ http: createHttpClient(), baseUrl, now: Date.now })
  const transfers = new AttachmentTransfers({
    transport: createFileTransport(),
    mark: () => Promise.resolve(true),
    client: () => Promise.resolve(client),
    newId: randomUUID,
    now: Date.now,
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    reporter: {
      notice: ({ message }) => {
        throw new Error(message)
      },
    },
  })
  const begun = new Map<string, number>()
  transfers.onChange(([transfer]) => {
    if (transfer !== undefined && !begun.has(transfer.state)) begun.set(transfer.state, performance.now())
  })
  const { id } =
    attachmentId === undefined
      ? await transfers.upload('bench', { path })
      : await transfers.download('bench', { attachmentId, to: { path }, overwrite: true })
  const ended = await transfers.ended(id)
  if (ended.state !== 'done') throw new Error(`The transfer ended as ${JSON.stringify(ended)}`)
  const over = begun.get(attachmentId === undefined ? 'confirming' : 'done') ?? NaN
  if (attachmentId === undefined) await client.remove(ended.attachmentId ?? '')
  await sendMessage({
    ms: over - (begun.get('transferring') ?? NaN),
    peakBytes: process.resourceUsage().maxRSS * 1024,
  })
}
