import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createFileTransport } from '../../platform/http/file-transport'
import { createHttpClient } from '../../platform/http/http-client'
import type { ServiceIdentity } from '../../portal/instance/instance'
import { AttachmentTransfers } from './attachment-transfers'
import type { AttachmentsClient } from './attachments-client'
import { createAttachmentsClient } from './create-attachments-client'
import type { Transfer } from './transfer'
import { testReporter } from '../../reporter.testing'

interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface TransferWorld {
  readonly folder: string
  readonly client: AttachmentsClient
  readonly transfers: AttachmentTransfers
  /** All delays in milliseconds; none takes real time. */
  readonly waits: number[]
  /** The files marked as downloaded from the internet, with their size at that time. */
  readonly marked: readonly { readonly path: string; readonly bytes: number }[]
  /** False if the disk does not support marks. */
  takesMarks: boolean
  /** Called for each delay. */
  onWait: (() => Promise<void>) | undefined
  readonly control: (path: string, body?: object) => Promise<void>
  /** Returns the requests since the last call, and clears them. */
  readonly requests: () => Promise<Exchange[]>
  readonly file: (name: string, bytes: number) => Promise<string>
  /** Starts an upload and waits until it ends. */
  readonly uploaded: (path: string, more?: object) => Promise<Transfer>
  readonly downloaded: (attachmentId: string, more?: object) => Promise<Transfer>
}

export const instanceId = 'vpn.example.org'

/** A mock server. */
interface Server {
  readonly attachments: string
  readonly control: string
  close(): Promise<void>
}

/** Starts transfers to a server over real sockets and files, without real delays. Closes both after the test. */
export async function startTransfers(server: Server, identity?: ServiceIdentity): Promise<TransferWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-transfers-'))
  const client = createAttachmentsClient({
    http: createHttpClient(),
    baseUrl: server.attachments,
    identity,
    now: Date.now,
  })
  const waits: number[] = []
  const marked: { readonly path: string; readonly bytes: number }[] = []
  const defects: unknown[] = []
  const transfers = new AttachmentTransfers({
    transport: createFileTransport(),
    mark: async (path) => {
      marked.push({ path, bytes: (await stat(path)).size })
      return world.takesMarks
    },
    client: () => Promise.resolve(client),
    newId: randomUUID,
    now: Date.now,
    delay: async (milliseconds, signal) => {
      waits.push(milliseconds)
      await world.onWait?.()
      await setImmediate()
      signal.throwIfAborted()
    },
    reporter: testReporter({ notice: (notice) => defects.push(notice) }),
  })
  onTestFinished(async () => {
    await transfers.dispose()
    await server.close()
    await rm(folder, { recursive: true })
    if (defects.length > 0) throw new Error('A transfer had a defect', { cause: defects[0] })
  })
  const world: TransferWorld = {
    folder,
    client,
    transfers,
    waits,
    marked,
    takesMarks: true,
    onWait: undefined,
    control: async (path, body = {}) => {
      const response = await fetch(`${server.control}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    },
    requests: async () => {
      const journal = (await (await fetch(`${server.control}/requests`)).json()) as Exchange[]
      await fetch(`${server.control}/requests`, { method: 'DELETE' })
      return journal
    },
    file: async (name, bytes) => {
      const path = join(folder, name)
      await writeFile(path, Buffer.alloc(bytes, name))
      return path
    },
    uploaded: async (path, more = {}) => {
      const { id } = await transfers.upload(instanceId, { path, ...more })
      return transfers.ended(id)
    },
    downloaded: async (attachmentId, more = {}) => {
      const { id } = await transfers.download(instanceId, { attachmentId, to: { folder }, ...more })
      return transfers.ended(id)
    },
  }
  return world
}

/** Resolves when a transfer fulfils the condition. */
export function reaches(
  transfers: AttachmentTransfers,
  id: string,
  fits: (transfer: Transfer) => boolean,
): Promise<Transfer> {
  return new Promise((resolve) => {
    const look = (all: readonly Transfer[]): void => {
      const found = all.find((transfer) => transfer.id === id && fits(transfer))
      if (found === undefined) return
      stop()
      resolve(found)
    }
    const stop = transfers.onChange(look)
    look(transfers.all())
  })
}
