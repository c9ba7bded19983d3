import type { AttachmentItem, DeletionItem, TransferItem } from '../../preload/attachments-contract'
import type { Attachment } from '../attachments/attachment'
import type { AttachmentTransfers } from '../attachments/attachment-transfers'
import type { AttachmentsClient } from '../attachments/attachments-client'
import { isOnItsWay, type Transfer } from '../attachments/transfer'
import type { Instance } from '../portal/instance/instance'
import type { ServiceReads } from '../service-reads'
import { AttachmentsChosenFiles } from './attachments-chosen-files'
import { AttachmentsDeletions, type After } from './attachments-deletions'
import { opensAs } from './attachments-opening'

export interface AttachmentsServices {
  attachments(instance: Instance, signal?: AbortSignal): Promise<AttachmentsClient>
  readonly attachmentTransfers: AttachmentTransfers
  readonly read: Pick<ServiceReads, 'attachments'>
  openBrowser(url: URL): Promise<void>
}

/** What the window knows of attachments that lives on its own: what is on its way, and what is about to be deleted. */
export class AttachmentsModel {
  readonly deletions: AttachmentsDeletions
  readonly chosenFiles = new AttachmentsChosenFiles()
  readonly #transfers: AttachmentTransfers
  readonly #stop: () => void

  constructor(options: {
    readonly services: Pick<AttachmentsServices, 'attachments' | 'attachmentTransfers'>
    /** Throws `usage/unknown-instance`. */
    readonly instance: (instanceId: string) => Instance
    readonly after?: After
    readonly onChange: (slice: 'transfers' | 'deletions') => void
  }) {
    const { services, instance, after = afterTime, onChange } = options
    this.#transfers = services.attachmentTransfers
    this.deletions = new AttachmentsDeletions({
      remove: async (instanceId, attachmentId) =>
        (await services.attachments(instance(instanceId))).remove(attachmentId),
      after,
      onChange: () => {
        onChange('deletions')
      },
    })
    this.#stop = this.#transfers.onChange(() => {
      onChange('transfers')
    })
  }

  slices(): { readonly transfers: TransferItem[]; readonly deletions: DeletionItem[] } {
    return { transfers: this.#transfers.all().map(transferItem), deletions: this.deletions.all() }
  }

  /** How many uploads and downloads the end of the app would cancel. */
  underWay(): number {
    return this.#transfers.all().filter(isOnItsWay).length
  }

  dispose(): void {
    this.#stop()
  }
}

const afterTime: After = (milliseconds, then) => {
  const timer = setTimeout(then, milliseconds)
  return () => {
    clearTimeout(timer)
  }
}

/** Without the path. */
export function transferItem(transfer: Transfer): TransferItem {
  const { id, instanceId, kind, attachmentId, title, progress } = transfer
  return {
    id,
    instanceId,
    kind,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    title,
    state: transfer.state,
    ...(transfer.state === 'waiting' ? { retryAt: transfer.retryAt } : {}),
    ...(transfer.state === 'failed' ? { error: transfer.error } : {}),
    ...progress,
    ...(kind === 'download' && transfer.state === 'done' ? { opens: opensAs(transfer) } : {}),
  }
}

/**
 * Without control characters, and without those that have what follows written backwards: with them `report fdp.exe` looks as
 * if it ended in pdf.
 */
function withoutTricks(text: string): string {
  return text.replaceAll(/[\u202a-\u202e]|(?![\n\t])\p{Cc}/gu, '')
}

/** Without the address of a file, which is a secret. */
export function attachmentItem(attachment: Attachment): AttachmentItem {
  const { id, userId, title, description, type, status, extension, videos, modules, url } = attachment
  return {
    id,
    userId,
    title: withoutTricks(title),
    ...(description === undefined ? {} : { description: withoutTricks(description) }),
    type,
    status,
    ...(extension === undefined ? {} : { extension }),
    videos: [...videos],
    modules: [...modules],
    ...(type === 'EXTERNAL' ? { address: url } : {}),
  }
}
