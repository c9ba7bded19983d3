import { resolve } from 'node:path'
import { Confirmations } from './confirmations'
import { downloadWork, requireFree } from './download-file'
import { extensionOf, inspectFile, titleOf } from './local-file'
import { fileBody } from './requests'
import type { DownloadRequest, ReplacementRequest, UploadRequest } from './transfer'
import type { TransferFacts, TransferWork } from './transfer-job'
import { Upload, type UploadContext } from './upload'

/** A transfer whose request is valid. Loaded with the first transfer (docs/startup-time.md). */
export interface PreparedTransfer {
  readonly facts: Omit<TransferFacts, 'id' | 'instanceId'>
  readonly work: TransferWork
}

/** Creates what the uploads to one service share. */
export function createUploadContext(
  parts: Pick<UploadContext, 'transport' | 'client' | 'delay'>,
): UploadContext {
  return { ...parts, confirmations: new Confirmations(parts), creating: Promise.resolve(), tellsIds: false }
}

/** Prepares AttachmentTransfers.upload. */
export async function uploadOf(context: UploadContext, request: UploadRequest): Promise<PreparedTransfer> {
  const path = resolve(request.path)
  await inspectFile(path)
  const { title = titleOf(path), extension = extensionOf(path), description, videos, modules } = request
  const file = { title, extension: withoutDot(extension), description, videos, modules }
  // Reports an invalid request now, not when it leaves the queue.
  fileBody(file)
  return { facts: { kind: 'upload', title, path }, work: new Upload(context, { path, file }) }
}

/** Prepares AttachmentTransfers.replace. */
export async function replacementOf(
  context: UploadContext,
  request: ReplacementRequest,
): Promise<PreparedTransfer> {
  const path = resolve(request.path)
  await inspectFile(path)
  const { attachmentId, title, extension = extensionOf(path), mayConvert = false } = request
  const file = { title: title ?? titleOf(path), extension: withoutDot(extension) }
  fileBody(file)
  const replacement = { attachmentId, keepsTitle: title === undefined, mayConvert }
  return {
    facts: { kind: 'replacement', title: file.title, path, attachmentId },
    work: new Upload(context, { path, file, replacement }),
  }
}

/** Prepares AttachmentTransfers.download. */
export async function downloadOf(
  options: Parameters<typeof downloadWork>[0],
  { attachmentId, overwrite = false, to: target }: DownloadRequest,
): Promise<PreparedTransfer> {
  const to: DownloadRequest['to'] =
    'path' in target ? { path: resolve(target.path) } : { folder: resolve(target.folder) }
  if ('path' in to) await requireFree(to.path, overwrite)
  const path = 'path' in to ? to.path : to.folder
  return {
    facts: { kind: 'download', title: attachmentId, path, attachmentId },
    work: downloadWork(options, { attachmentId, to, overwrite }),
  }
}

function withoutDot(extension: string): string {
  return extension.replace(/^\./, '').toLowerCase()
}
