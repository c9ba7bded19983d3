import { setTimeout as delay } from 'node:timers/promises'
import type { attachmentsCommands } from '../../contract/commands'
import { fileNameFor } from '../services/attachments/file-name'
import type { Transfer } from '../services/attachments/transfer'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { Instance } from '../portal/instance/instance'
import { given, type SharedAttachmentsCommand } from './attachments-commands'
import type { AttachmentsModel } from './models/attachments-model'
import { openableLink, opensAs } from './models/attachments-opening'

/** The desktop's dialogs and programs; paths are absolute. */
export interface AttachmentsDesktop {
  /** Opens a file dialog; returns no paths if the user cancels it. `title`: the title of the dialog. */
  chooseFiles(how: { readonly several: boolean; readonly title?: string }): Promise<readonly string[]>
  /** Opens a save dialog for a file with this name. The path may exist if the user confirmed to overwrite it. */
  chooseTarget(name: string): Promise<string | undefined>
  /** Opens a file; rejects if there is no program for it. */
  openFile(path: string): Promise<void>
  showInFolder(path: string): void
  /** Asks in a system dialog, which the page can't answer; returns true if the user agrees. */
  confirm(question: DesktopQuestion): Promise<boolean>
}

export interface DesktopQuestion {
  readonly message: string
  readonly detail: string
  /** The names of the buttons. */
  readonly action: string
  readonly cancel: string
}

/** The wait for a browser to start. Some browser processes only end when their window is closed. */
const browserStartMs = 2000

/**
 * Returns the handlers of the attachment commands of the window alone: it names files by their ids, and shows transfers and pending
 * deletions as state. They throw the errors of client and transfers.
 */
export function attachmentsWindowHandlers(options: {
  readonly services: Pick<Services, 'attachments' | 'attachmentTransfers' | 'openBrowser'>
  readonly model: AttachmentsModel
  /** Throws `usage/unknown-instance`. */
  readonly instance: (instanceId: string) => Instance
  readonly desktop: AttachmentsDesktop
}): CommandHandlers<Exclude<keyof typeof attachmentsCommands, SharedAttachmentsCommand>> {
  const { services, model, instance, desktop } = options
  const { chosenFiles } = model
  const transfers = services.attachmentTransfers
  const client = (instanceId: string) => services.attachments(instance(instanceId))

  function finishedDownload(transferId: string): Transfer {
    const transfer = transfers.all().find(({ id }) => id === transferId)
    if (transfer?.kind === 'download' && transfer.state === 'done') return transfer
    throw new CausewayError('usage/invalid-argument')
  }

  return {
    attachmentsIdentity: ({ instanceId }) => {
      const { userId, roles } = instance(instanceId).identity ?? {}
      return Promise.resolve({ userId, roles: roles && [...roles] })
    },
    chooseFiles: async ({ several }) => chosenFiles.offer(await desktop.chooseFiles({ several })),
    uploadFiles: async ({ instanceId, files }) => {
      const requests = files.map(({ fileId, ...texts }) => ({
        path: chosenFiles.path(fileId),
        ...given(texts),
      }))
      for (const request of requests) await transfers.upload(instance(instanceId).id, request)
    },
    replaceAttachmentFile: async ({ instanceId, attachmentId, fileId, title }) => {
      await transfers.replace(instance(instanceId).id, {
        attachmentId,
        title,
        path: chosenFiles.path(fileId),
      })
    },
    downloadAttachment: async ({ instanceId, attachmentId }) => {
      const { title, extension } = await (await client(instanceId)).show(attachmentId)
      const path = await desktop.chooseTarget(fileNameFor(title, extension))
      if (path === undefined) return
      await transfers.download(instanceId, { attachmentId, to: { path }, overwrite: true })
    },
    cancelTransfer: ({ transferId }) => {
      transfers.cancel(transferId)
      return Promise.resolve()
    },
    retryTransfer: ({ transferId }) => {
      transfers.retry(transferId)
      return Promise.resolve()
    },
    dismissTransfer: ({ transferId }) => {
      transfers.dismiss(transferId)
      return Promise.resolve()
    },
    openDownload: async ({ transferId }) => {
      const download = finishedDownload(transferId)
      if (opensAs(download) === 'file') await desktop.openFile(download.path)
      else desktop.showInFolder(download.path)
    },
    showDownload: ({ transferId }) => {
      desktop.showInFolder(finishedDownload(transferId).path)
      return Promise.resolve()
    },
    openAttachmentLink: async ({ instanceId, attachmentId }) => {
      const { url } = await (await client(instanceId)).show(attachmentId)
      await Promise.race([services.openBrowser(openableLink(url)), delay(browserStartMs)])
    },
    deleteAttachment: ({ instanceId, attachmentId, title }) => {
      model.deletions.delete({ instanceId: instance(instanceId).id, attachmentId, title })
      return Promise.resolve()
    },
    undoDeleteAttachment: (one) => {
      model.deletions.undo(one)
      return Promise.resolve()
    },
  }
}
