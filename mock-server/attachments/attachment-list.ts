import type { Persistence } from '../state/collection'
import { Collection } from '../state/collection'
import { type Filter, type StoredAttachment, storedAttachmentSchema } from './attachment'
import { hostileTexts } from '../seed/hostile-texts'
import { sampleKeys } from '../seed/attachments'

function linksToOne(linked: string[], wanted: string[] | undefined): boolean {
  return wanted === undefined || wanted.some((id) => linked.includes(id))
}

/** Lasting attachments, and those that a scenario shows in addition or instead. Clients can change both. */
export class AttachmentList {
  readonly #lasting: Collection<StoredAttachment>
  readonly #fromScenario = new Map<string, StoredAttachment>()
  #hidden = new Set<string>()
  #sorted: StoredAttachment[] | undefined

  constructor(persistence: Persistence) {
    this.#lasting = new Collection(persistence, 'attachments', storedAttachmentSchema)
  }

  /** Returns the attachment with this id if clients can see it. */
  get(id: string): StoredAttachment | undefined {
    return this.#hidden.has(id) ? undefined : this.find(id)
  }

  /** Returns the attachment with this id, visible or hidden. */
  find(id: string): StoredAttachment | undefined {
    return this.#fromScenario.get(id) ?? this.#lasting.get(id)
  }

  /** Returns the visible attachments that match, newest update first. Several ids in one filter mean any of them. */
  select({ userId, videos, modules }: Filter): StoredAttachment[] {
    this.#sorted ??= [
      ...this.#lasting.values().filter((attachment) => !this.#hidden.has(attachment.id)),
      ...this.#fromScenario.values(),
    ].sort((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1))
    if (userId === undefined && videos === undefined && modules === undefined) return this.#sorted
    return this.#sorted.filter(
      (attachment) =>
        (userId === undefined || attachment.userId === userId) &&
        linksToOne(attachment.videos, videos) &&
        linksToOne(attachment.modules, modules),
    )
  }

  set(attachment: StoredAttachment): void {
    if (this.#fromScenario.has(attachment.id)) this.#fromScenario.set(attachment.id, attachment)
    else this.#lasting.set(attachment.id, attachment)
    this.#sorted = undefined
  }

  delete(id: string): void {
    if (!this.#fromScenario.delete(id)) this.#lasting.delete(id)
    this.#sorted = undefined
  }

  /** Shows these attachments too, until `revertScenario`. */
  show(attachments: StoredAttachment[]): void {
    for (const attachment of attachments) this.#fromScenario.set(attachment.id, attachment)
    this.#sorted = undefined
  }

  /** Hides all current lasting attachments, until `revertScenario`. */
  hideAll(): void {
    this.#hidden = new Set(this.#lasting.keys())
    this.#sorted = undefined
  }

  /** Goes back to the lasting attachments alone; returns the ones that were shown in addition. */
  revertScenario(): StoredAttachment[] {
    const gone = [...this.#fromScenario.values()]
    this.#fromScenario.clear()
    this.#hidden.clear()
    this.#sorted = undefined
    return gone
  }

  clear(): void {
    this.#lasting.clear()
    this.#sorted = undefined
  }
}

/** Returns one of many attachments, which alternate between files and links and are the same on every call. */
function generated(
  kind: string,
  index: number,
  now: number,
  about: { title: string; description: string | null; extension: keyof typeof sampleKeys; url: string },
): StoredAttachment {
  const { title, description, extension, url } = about
  return {
    id: `00000000-0000-4000-${kind}-${String(index).padStart(12, '0')}`,
    userId: ['tester', 'anna', 'bram'][index % 3] ?? 'tester',
    title,
    description,
    videos: [`video-${(index % 6) + 1}`],
    modules: [`module-${(index % 3) + 1}`],
    content:
      index % 2 === 0
        ? { type: 'INTERNAL', extension, awaitedKey: null, fileKey: sampleKeys[extension] }
        : { type: 'EXTERNAL', url: `https://www.example.org/${url}${index + 1}` },
    updatedAt: now - index,
  }
}

export const attachmentSituations: Record<string, (list: AttachmentList, now: number) => void> = {
  none: (list) => {
    list.hideAll()
  },
  'ten-thousand': (list, now) => {
    const about = { description: null, extension: 'pdf', url: 'made-up/' } as const
    const titles = Array.from({ length: 10_000 }, (_, index) => `Attachment ${index + 1} of 10000`)
    list.show(titles.map((title, index) => generated('8000', index, now, { title, ...about })))
  },
  hostile: (list, now) => {
    const about = { extension: 'txt', url: '?title=' } as const
    const shown = hostileTexts.attachments.map((title, index) =>
      generated('9000', index, now, { title, description: title, ...about }),
    )
    list.show(shown)
  },
}
