import type { FileTransport } from '../http/file-transport'
import type { AwaitedFile } from './attachments-client'
import { inspectFile, readUnchanged } from './local-file'
import { persevere, storageRefused, type TransferSteps } from './persevere'

export interface Upload {
  readonly path: string
  readonly extension: string
  /** Where it goes, as it was announced before; a renewed address takes its place. */
  readonly awaited: AwaitedFile | undefined
  /** Asks the service for the first address. */
  readonly announce: () => Promise<AwaitedFile>
  /** Asks for another address in the place of one that is over; undefined where that cannot be. */
  readonly renew: (over: AwaitedFile) => Promise<AwaitedFile | undefined>
  readonly onAwaited: (awaited: AwaitedFile) => void
}

/** Answers to an address that is over, or was never good. */
const overStatuses = [401, 403, 404, 410]

/**
 * Uploads a file to where the service awaits it (attachments-service.md, section 1). A lost connection is tried again to
 * the same address, an address that is over is renewed once.
 *
 * Throws `attachments/file-unreadable`, `attachments/file-changed`, `attachments/storage-refused`, what announcing
 * throws, and what FileTransport throws.
 */
export async function uploadFile(
  transport: FileTransport,
  upload: Upload,
  steps: TransferSteps,
): Promise<AwaitedFile> {
  let awaited = upload.awaited ?? (await announced(upload))
  let mayRenew = true
  for (;;) {
    const place: AwaitedFile = awaited
    const answer = await persevere(steps, () => put(transport, place, upload, steps))
    if (answer.status >= 200 && answer.status < 300) return awaited
    const renewed: AwaitedFile | undefined =
      mayRenew && overStatuses.includes(answer.status) ? await upload.renew(awaited) : undefined
    if (renewed === undefined) throw storageRefused(place.uploadUrl, answer.status, answer.text)
    mayRenew = false
    awaited = renewed
    upload.onAwaited(awaited)
  }
}

/** Looks at the file before the service is told of it. */
async function announced({ path, announce, onAwaited }: Upload): Promise<AwaitedFile> {
  await inspectFile(path)
  const awaited = await announce()
  onAwaited(awaited)
  return awaited
}

async function put(
  transport: FileTransport,
  { uploadUrl, namedBy }: AwaitedFile,
  { path, extension }: Upload,
  steps: TransferSteps,
) {
  const contentType = await mediaTypeOf(extension)
  const file = await inspectFile(path)
  steps.progressed(0, file.size)
  steps.enter('transferring')
  const answer = await transport.put(uploadUrl, {
    namedBy,
    bytes: file.size,
    contentType,
    open: () => readUnchanged(file),
    signal: steps.signal,
    onSent: (bytes) => {
      steps.progressed(bytes, file.size)
    },
  })
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429) {
    throw storageRefused(uploadUrl, answer.status, answer.text)
  }
  return answer
}

/** As servers derive it from the extension too: some sign it into the address. */
async function mediaTypeOf(extension: string): Promise<string> {
  // Large, and not needed before the first upload.
  const { default: mime } = await import('mime-types')
  return mime.lookup(extension) || 'application/octet-stream'
}
