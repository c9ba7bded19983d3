import type { DeletionItem } from '../../../contract/attachments'
import { hasCode, toErrorReport } from '../../errors'
import type { Timer } from '../../timer'

/** The time in which a deletion can be undone. */
export const undoMs = 6000

interface Deletion {
  readonly item: DeletionItem
  /** Cancels the timer, while the deletion waits. */
  readonly stop?: () => void
}

interface AttachmentsDeletionsOptions {
  readonly remove: (instanceId: string, attachmentId: string) => Promise<void>
  readonly after: Timer
  readonly onChange: () => void
}

/** Delays deletions for a few seconds, so that they can be undone. */
export class AttachmentsDeletions {
  readonly #deletions = new Map<string, Deletion>()
  readonly #sending = new Set<Promise<void>>()
  readonly #options: AttachmentsDeletionsOptions

  constructor(options: AttachmentsDeletionsOptions) {
    this.#options = options
  }

  all(): DeletionItem[] {
    return [...this.#deletions.values()].map(({ item }) => item)
  }

  /** Schedules a deletion, unless the same one is waiting or being sent. */
  delete(wanted: Pick<DeletionItem, 'instanceId' | 'attachmentId' | 'title'>): void {
    const key = keyOf(wanted)
    const known = this.#deletions.get(key)
    if (known !== undefined && known.item.state !== 'failed') return
    const stop = this.#options.after(undoMs, () => {
      this.#send(key)
    })
    this.#deletions.set(key, { item: { ...wanted, state: 'waiting' }, stop })
    this.#options.onChange()
  }

  /** Undoes a waiting deletion or removes a failed one. One that is being sent continues. */
  undo(wanted: Pick<DeletionItem, 'instanceId' | 'attachmentId'>): void {
    const key = keyOf(wanted)
    const known = this.#deletions.get(key)
    if (known === undefined || known.item.state === 'sending') return
    known.stop?.()
    this.#deletions.delete(key)
    this.#options.onChange()
  }

  /** Sends the waiting deletions now; resolves when all are answered. */
  async flush(): Promise<void> {
    for (const [key, { stop }] of this.#deletions) {
      if (stop === undefined) continue
      stop()
      this.#send(key)
    }
    await Promise.all(this.#sending)
  }

  #send(key: string): void {
    const known = this.#deletions.get(key)
    if (known === undefined) return
    const { item } = known
    this.#deletions.set(key, { item: { ...item, state: 'sending' } })
    this.#options.onChange()
    const sending = this.#options
      .remove(item.instanceId, item.attachmentId)
      .then(
        () => {
          this.#deletions.delete(key)
        },
        (error: unknown) => {
          // Someone else has deleted it.
          if (hasCode(error, 'attachments/not-found')) this.#deletions.delete(key)
          else this.#deletions.set(key, { item: { ...item, state: 'failed', error: toErrorReport(error) } })
        },
      )
      .finally(() => {
        this.#sending.delete(sending)
        this.#options.onChange()
      })
    this.#sending.add(sending)
  }
}

function keyOf({ instanceId, attachmentId }: Pick<DeletionItem, 'instanceId' | 'attachmentId'>): string {
  return JSON.stringify([instanceId, attachmentId])
}
