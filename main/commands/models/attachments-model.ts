import type { TransferItem } from '../../../contract/attachments'
import { editableText } from '../../../contract/safe-text'
import type { AttachmentTransfers } from '../../services/attachments/attachment-transfers'
import { isOnItsWay, type Transfer } from '../../services/attachments/transfer'
import type { Instance } from '../../portal/instance/instance'
import type { Services } from '../../app/services'
import { AttachmentsChosenFiles } from './attachments-chosen-files'
import { AttachmentsDeletions } from './attachments-deletions'
import { opensAs } from './attachments-opening'
import { after, type Timer } from '../../timer'

/** The transfers and pending deletions of attachments, and the chosen files. */
export class AttachmentsModel {
  readonly deletions: AttachmentsDeletions
  readonly chosenFiles = new AttachmentsChosenFiles()
  readonly #transfers: AttachmentTransfers
  readonly #stop: () => void

  constructor(options: {
    readonly services: Pick<Services, 'attachments' | 'attachmentTransfers'>
    /** Throws `usage/unknown-instance`. */
    readonly instance: (instanceId: string) => Instance
    readonly after?: Timer
    readonly onChange: (slice: 'transfers' | 'deletions') => void
  }) {
    const { services, instance, after: timer = after, onChange } = options
    this.#transfers = services.attachmentTransfers
    this.deletions = new AttachmentsDeletions({
      remove: async (instanceId, attachmentId) =>
        (await services.attachments(instance(instanceId))).remove(attachmentId),
      after: timer,
      onChange: () => {
        onChange('deletions')
      },
    })
    this.#stop = this.#transfers.onChange(() => {
      onChange('transfers')
    })
  }

  transfers(): TransferItem[] {
    return this.#transfers.all().map(transferItem)
  }

  /** Returns the number of transfers that quitting would cancel. */
  underWay(): number {
    return this.#transfers.all().filter(isOnItsWay).length
  }

  dispose(): void {
    this.#stop()
  }
}

/** Converts a transfer for the window, without the path. */
function transferItem(transfer: Transfer): TransferItem {
  const { id, instanceId, kind, attachmentId, title, state, progress, left, withoutLinks } = transfer
  return {
    id,
    instanceId,
    kind,
    attachmentId,
    title: editableText(title),
    state,
    left,
    withoutLinks,
    ...progress,
    retryAt: transfer.state === 'waiting' ? transfer.retryAt : undefined,
    error: transfer.state === 'failed' ? transfer.error : undefined,
    opens: kind === 'download' && state === 'done' ? opensAs(transfer) : undefined,
  }
}
