import type { Persistence } from '../state/persistence'
import { Collection } from '../state/collection'
import { storedAttachmentSchema, type StoredAttachment } from './attachment'
import type { Filter } from './requests'

function linksToOne(linked: string[], wanted: string[] | undefined): boolean {
  return wanted === undefined || wanted.some((id) => linked.includes(id))
}

function newestFirst(one: StoredAttachment, other: StoredAttachment): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1)
}

/**
 * The attachments that last, and those that a scenario shows beside or instead of them. Changes go where the attachment
 * is, so that clients can work with both.
 */
export class AttachmentList {
  readonly #lasting: Collection<StoredAttachment>
  readonly #shown = new Map<string, StoredAttachment>()
  #hidden = new Set<string>()
  #sorted: StoredAttachment[] | undefined

  constructor(persistence: Persistence) {
    this.#lasting = new Collection(persistence, 'attachments', storedAttachmentSchema)
  }

  /** What clients see under this id. */
  get(id: string): StoredAttachment | undefined {
    return this.#hidden.has(id) ? undefined : this.find(id)
  }

  /** What there is under this id, seen or not. */
  find(id: string): StoredAttachment | undefined {
    return this.#shown.get(id) ?? this.#lasting.get(id)
  }

  /** What clients see and the filter lets pass, newest update first. Several ids in a filter mean any of them. */
  select({ userId, videos, modules }: Filter): StoredAttachment[] {
    this.#sorted ??= this.#visible().sort(newestFirst)
    if (userId === undefined && videos === undefined && modules === undefined) return this.#sorted
    return this.#sorted.filter(
      (attachment) =>
        (userId === undefined || attachment.userId === userId) &&
        linksToOne(attachment.videos, videos) &&
        linksToOne(attachment.modules, modules),
    )
  }

  set(attachment: StoredAttachment): void {
    if (this.#shown.has(attachment.id)) this.#shown.set(attachment.id, attachment)
    else this.#lasting.set(attachment.id, attachment)
    this.#sorted = undefined
  }

  delete(id: string): void {
    if (!this.#shown.delete(id)) this.#lasting.delete(id)
    this.#sorted = undefined
  }

  /** Shows these as well, until `settle`. */
  show(attachments: StoredAttachment[]): void {
    for (const attachment of attachments) this.#shown.set(attachment.id, attachment)
    this.#sorted = undefined
  }

  /** Hides all that there are now, until `settle`. */
  hideAll(): void {
    this.#hidden = new Set(this.#lasting.keys())
    this.#sorted = undefined
  }

  /** Shows what lasts and nothing else; returns what was shown beside it. */
  settle(): StoredAttachment[] {
    const gone = [...this.#shown.values()]
    this.#shown.clear()
    this.#hidden.clear()
    this.#sorted = undefined
    return gone
  }

  clear(): void {
    this.#lasting.clear()
    this.#sorted = undefined
  }

  #visible(): StoredAttachment[] {
    const lasting = this.#lasting.values().filter(({ id }) => !this.#hidden.has(id))
    return [...lasting, ...this.#shown.values()]
  }
}
