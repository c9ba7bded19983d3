import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getEachMessage, sendMessage } from 'execa'
import { z } from 'zod'
import { createAttachmentTransfers } from '../main/services/attachments/create-attachment-transfers'
import { createAttachmentsClient } from '../main/services/attachments/create-attachments-client'
import { createFileTransport } from '../main/platform/http/file-transport'
import { createHttpClient } from '../main/platform/http/http-client'

const message = z.object({ baseUrl: z.url(), path: z.string() })

/**
 * Uploads one file per message with the app's code; answers with the duration of the transfer and the peak memory of
 * this process.
 */
for await (const given of getEachMessage()) {
  const { baseUrl, path } = message.parse(given)
  const client = createAttachmentsClient({ http: createHttpClient(), baseUrl, now: Date.now })
  const transfers = createAttachmentTransfers({
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
  const { id } = await transfers.upload('bench', { path })
  const ended = await transfers.ended(id)
  if (ended.state !== 'done') throw new Error(`The upload ended as ${JSON.stringify(ended)}`)
  await client.remove(ended.attachmentId ?? '')
  await sendMessage({
    ms: (begun.get('confirming') ?? NaN) - (begun.get('transferring') ?? NaN),
    peakBytes: process.resourceUsage().maxRSS * 1024,
  })
}
