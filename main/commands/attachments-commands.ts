import { setTimeout as delay } from 'node:timers/promises'
import type { attachmentsCommands } from '../../contract/attachments'
import type { AttachmentPage } from '../services/attachments/attachment'
import { fileNameFor } from '../services/attachments/file-name'
import { currentAttachment } from '../services/attachments/listed-attachments'
import type { Transfer } from '../services/attachments/transfer'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { Instance } from '../portal/instance/instance'
import { answerOf, type Seen } from '../services/offline-cache/read-or-recall'
import { attachmentItem, type AttachmentsModel } from './models/attachments-model'
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

/** Returns the handlers of the attachment commands. They throw the errors of client and transfers. */
export function attachmentsCommandHandlers(options: {
  readonly services: Pick<
    Services,
    'attachments' | 'attachmentFile' | 'attachmentTransfers' | 'read' | 'openBrowser'
  >
  readonly model: AttachmentsModel
  /** Throws `usage/unknown-instance`. */
  readonly instance: (instanceId: string) => Instance
  readonly desktop: AttachmentsDesktop
}): CommandHandlers<keyof typeof attachmentsCommands> {
  const { services, model, instance, desktop } = options
  const { chosenFiles } = model
  const transfers = services.attachmentTransfers
  const client = (instanceId: string) => services.attachments(instance(instanceId))
  let askingForFile = new AbortController()

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
    listAttachments: async ({ instanceId, page, pageSize, filter: { userId, ...linked } }) =>
      pageItems(
        await services.read.attachments(instance(instanceId), (client) =>
          client.list({ page, pageSize, userId: userId === '' ? undefined : userId, ...linked }),
        ),
      ),
    listAttachmentsOfVideo: async ({ instanceId, videoId }) =>
      pageItems(await services.read.attachments(instance(instanceId), (client) => client.forVideo(videoId))),
    showAttachment: async ({ instanceId, attachmentId }) => {
      const { data, seenAt } = await services.read.attachments(instance(instanceId), (client) =>
        currentAttachment(client, attachmentId),
      )
      return { data: attachmentItem(data), seenAt }
    },
    attachmentFile: ({ instanceId, attachmentId }) => {
      // The window shows the details of one attachment.
      askingForFile.abort()
      askingForFile = new AbortController()
      return services.attachmentFile(instance(instanceId), attachmentId, askingForFile.signal)
    },
    addAttachmentLink: async ({ instanceId, address, ...texts }) =>
      attachmentItem(await (await client(instanceId)).addLink({ ...given(texts), url: address })),
    editAttachment: async ({ instanceId, attachmentId, type, address, ...texts }) => {
      const edit = type === 'INTERNAL' ? { ...texts, type } : { ...texts, type, url: address }
      await (await client(instanceId)).edit(attachmentId, edit)
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

/** Leaves out empty fields, because servers without links to videos may refuse them. */
function given<Texts extends { description: string; videos: string[]; modules: string[] }>({
  description,
  videos,
  modules,
  ...rest
}: Texts) {
  return {
    ...rest,
    description: description || undefined,
    videos: videos.length === 0 ? undefined : videos,
    modules: modules.length === 0 ? undefined : modules,
  }
}

function pageItems(seen: Seen<AttachmentPage>) {
  const {
    data: { data, ...counts },
    ...age
  } = answerOf(seen)
  return { data: data.map(attachmentItem), ...counts, ...age }
}
