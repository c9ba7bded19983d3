import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CausewayError } from '../../errors'
import { ReceivedHeaders } from '../../platform/http/answer-headers'
import { requestCancelled } from '../../platform/http/failure'
import type { FileTransport } from '../../platform/http/file-transport'
import { testReporter } from '../../reporter.testing'
import { AttachmentTransfers } from './attachment-transfers'
import type { Attachment } from './attachment'
import type { AttachmentsClient } from './attachments-client'

/** An answer of a storage to a download. */
interface ScriptedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** True if the connection is lost after the body. */
  readonly breaksOff?: boolean
}

export type Script = (
  request: Readonly<Record<string, string>>,
  attachmentId: string,
) => ScriptedAnswer | Promise<ScriptedAnswer>

/** The error of a connection that is lost within an answer. */
const lost = () =>
  new CausewayError('http/unreachable', { details: { host: 'storage.example', reason: 'incomplete-answer' } })

function storageTransport(script: Script, sent: Readonly<Record<string, string>>[]): FileTransport {
  return {
    put: () => Promise.resolve({ status: 200, text: '' }),
    get: async (url, { headers, signal }, read) => {
      sent.push(headers)
      const cancelled = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(requestCancelled(url))
        })
      })
      const answer = Promise.resolve(script(headers, url.pathname.slice(1)))
      const {
        status,
        headers: received = {},
        body,
        breaksOff = false,
      } = await Promise.race([answer, cancelled])
      async function* pieces(): AsyncGenerator<Uint8Array> {
        if (body !== undefined) yield await Promise.resolve(body)
        if (breaksOff) throw lost()
      }
      return read({ status, headers: new ReceivedHeaders(received) }, pieces())
    },
  }
}

/** Starts transfers with a storage that answers as scripted, and a service whose file `x` is at the path `/x`. */
export async function startScriptedStorage(
  script: Script,
  {
    delay = () => Promise.resolve(),
    extension = 'txt',
    client = {},
    reach = () => Promise.resolve(),
  }: {
    readonly delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>
    readonly extension?: string
    readonly client?: Partial<AttachmentsClient>
    /** Called before each use of the service. */
    readonly reach?: () => Promise<void>
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-storage-'))
  const sent: Readonly<Record<string, string>>[] = []
  const defects: unknown[] = []
  let ids = 0
  const fakeClient: Partial<AttachmentsClient> = {
    freshFile: (id) =>
      Promise.resolve({
        attachment: { id, title: id, extension } as Attachment,
        url: new URL(`https://storage.example/${id}`),
        namedBy: new URL('https://service.example/'),
      }),
    ...client,
  }
  const transfers = new AttachmentTransfers({
    transport: storageTransport(script, sent),
    mark: () => Promise.resolve(true),
    client: async () => {
      await reach()
      return fakeClient as AttachmentsClient
    },
    newId: () => `transfer-${(ids += 1)}`,
    now: () => 0,
    delay,
    reporter: testReporter({ notice: (notice) => defects.push(notice) }),
  })
  onTestFinished(async () => {
    await transfers.dispose()
    await rm(folder, { recursive: true })
    if (defects.length > 0) throw new Error('A transfer had a defect', { cause: defects[0] })
  })
  const begin = (attachmentId: string, instanceId = 'vpn.example.org') =>
    transfers.download(instanceId, { attachmentId, to: { folder } })
  return {
    folder,
    transfers,
    /** The headers of all requests to the storage. */
    sent,
    begin,
    downloaded: async (attachmentId: string) => transfers.ended((await begin(attachmentId)).id),
  }
}
