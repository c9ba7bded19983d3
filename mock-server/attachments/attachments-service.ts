import mime from 'mime-types'
import { seedAttachments } from '../seed/attachments'
import type { Environment, Part } from '../state/environment'
import { ObjectStorage, type StorageOptions, type UploadNotification } from '../storage/object-storage'
import { AttachmentList } from './attachment-list'
import { attachmentIdOf, isInProgress, type Attachment, type StoredAttachment } from './attachment'
import { AttachmentsError } from './attachments-error'
import { completed, created, keysOf, patched } from './change'
import { mayChange, type Identity } from './identity'
import type { CreateBody, Filter, PageQuery, PatchBody } from './requests'

/** What is bent about the service as a whole. */
export interface AttachmentsSwitches {
  /** Create answers with the whole attachment and lists are `{items, totalCount}`, as a known server does. */
  wholeEntity: boolean
  /** Everything is answered 403. */
  forbidden: boolean
  /** Lists begin with the oldest update. */
  oldestFirst: boolean
  /** For how long lists do not show an attachment that was created. */
  listDelaySeconds: number
  /** Parameters and fields that are not in the document are refused. */
  strict: boolean
  /** No list has more on a page, whatever is asked; null for as many as are asked for. */
  mostOnPage: number | null
  /** Lists begin with records that are not what the document says. */
  badRecords: boolean
}

const asDocumented: AttachmentsSwitches = {
  wholeEntity: false,
  forbidden: false,
  oldestFirst: false,
  listDelaySeconds: 0,
  strict: false,
  mostOnPage: null,
  badRecords: false,
}

/** Of each kind that clients were seen to stumble over. */
function badRecords(): unknown[] {
  const record = { userId: 'tester', url: '', status: 'COMPLETED', type: 'INTERNAL', title: 'Bad' }
  return [
    { ...record, id: 'bad-videos', videos: null, modules: [] },
    { ...record, id: 'bad-status', status: 'LOST', videos: [], modules: [] },
    { ...record, videos: [], modules: [] },
  ]
}

/** The entity tag of an empty file. */
const noEtag = '"d41d8cd98f00b204e9800998ecf8427e"'

/** How many code points of a title make the name of a downloaded file. */
const longestFileName = 100

/** The media type of files with this extension, which their upload must have. */
export function mediaTypeOf(extension: string): string {
  const type = mime.lookup(extension)
  return type === false ? 'application/octet-stream' : type
}

/** What the attachments service holds, with the object storage where its files are (attachments-service.md). */
export class AttachmentsService implements Part {
  readonly storage: ObjectStorage
  readonly list: AttachmentList
  readonly #environment: Environment
  #switches = asDocumented
  /** Until when lists do not show these, in milliseconds. */
  readonly #unlisted = new Map<string, number>()

  constructor(environment: Environment, options: StorageOptions = {}) {
    this.#environment = environment
    this.list = new AttachmentList(environment.persistence)
    this.storage = new ObjectStorage(environment, options)
    this.storage.uploads.subscribe('attachments', (notification) => this.#fileArrived(notification))
  }

  get switches(): AttachmentsSwitches {
    return this.#switches
  }

  bend(change: Partial<AttachmentsSwitches>): void {
    this.#switches = { ...this.#switches, ...change }
  }

  /** A page of the attachments that the filter lets pass, as this caller sees them, and how many there are in all. */
  page(identity: Identity, filter: Filter, { page, pageSize }: PageQuery) {
    const { wholeEntity, oldestFirst, mostOnPage } = this.#switches
    const bad = this.#switches.badRecords ? badRecords() : []
    const found = this.#listed(filter)
    const sorted = oldestFirst ? found.toReversed() : found
    const size = Math.min(pageSize, mostOnPage ?? pageSize)
    const start = (page - 1) * size
    const good = sorted.slice(Math.max(0, start - bad.length), Math.max(0, start + size - bad.length))
    const data = [
      ...bad.slice(start, start + size),
      ...good.map((attachment) => this.entity(attachment, identity)),
    ]
    const totalCount = bad.length + found.length
    return wholeEntity ? { items: data, totalCount } : { data, totalCount }
  }

  /** A completed attachment. Throws an AttachmentsError, 404, for others (section 7). */
  read(identity: Identity, id: string): Attachment {
    const attachment = this.list.get(id)
    if (attachment === undefined || isInProgress(attachment)) throw notFound()
    return this.entity(attachment, identity)
  }

  /** Creates an attachment: of a link it answers with all, of a file with where to upload it (section 4). */
  create(identity: Identity, body: CreateBody): Attachment | { url: string } {
    return this.#environment.persistence.together(() => {
      const id = this.#environment.ids.nextUuid('attachment')
      const attachment = created(body, {
        id,
        userId: identity.userId,
        now: this.#now(),
        awaitFile: (extension) => this.#newKey(id, extension),
      })
      this.list.set(attachment)
      const { listDelaySeconds } = this.#switches
      if (listDelaySeconds > 0) this.#unlisted.set(id, this.#now() + 1000 * listDelaySeconds)
      return this.#answer(attachment, isInProgress(attachment), identity)
    })
  }

  /** Changes an attachment. Throws an AttachmentsError: 404, 403 but for owner and administrators, 400 (`patched`). */
  patch(identity: Identity, id: string, body: PatchBody): Attachment | { url: string } {
    const before = this.#changeable(identity, id)
    const after = this.#environment.persistence.together(() => {
      const changed = patched(before, body, {
        now: this.#now(),
        awaitFile: (extension) => this.#newKey(id, extension),
      })
      this.list.set(changed)
      return changed
    })
    this.#dropFiles(before, after)
    const isNewUpload = after.content !== before.content && isInProgress(after)
    return this.#answer(after, isNewUpload, identity)
  }

  /** Removes an attachment and its file. Throws an AttachmentsError: 404, 403 but for owner and administrators. */
  delete(identity: Identity, id: string): void {
    const attachment = this.#changeable(identity, id)
    this.list.delete(id)
    this.#dropFiles(attachment)
  }

  /** Delivers what the storage has, or would have, to say of the file of an attachment, whatever goes wrong otherwise. */
  notify(id: string): 'delivered' | 'unknown' | 'link' {
    const attachment = this.list.get(id)
    if (attachment === undefined) return 'unknown'
    if (attachment.content.type === 'EXTERNAL') return 'link'
    const key = attachment.content.awaitedKey ?? attachment.content.fileKey ?? ''
    if (this.storage.uploads.deliverNow((notification) => notification.key === key) > 0) return 'delivered'
    const { etag, size } = this.storage.get(key) ?? { etag: noEtag, size: 0 }
    const time = this.#environment.clock.now().toISOString()
    this.storage.uploads.publishNow({ key, etag, size, time })
    return 'delivered'
  }

  /** An attachment as this caller sees it, with a pre-signed URL made now where it is a file. */
  entity(attachment: StoredAttachment, identity: Identity): Attachment {
    const { id, userId, title, description, videos, modules, content } = attachment
    return {
      id,
      userId,
      url: this.#urlFor(attachment, identity),
      status: isInProgress(attachment) ? 'IN_PROGRESS' : 'COMPLETED',
      type: content.type,
      title,
      ...(description === null ? {} : { description }),
      ...(content.type === 'INTERNAL' ? { extension: content.extension } : {}),
      videos,
      modules,
    }
  }

  reset(): void {
    this.list.settle()
    this.list.clear()
    this.storage.reset()
    const seed = seedAttachments(this.#environment.seed, this.#now())
    for (const attachment of seed.attachments) this.list.set(attachment)
    for (const { key, extension, bytes, modifiedAt } of seed.files) {
      this.storage.seed(key, mediaTypeOf(extension), bytes, modifiedAt)
    }
  }

  settle(): void {
    this.#switches = asDocumented
    this.#unlisted.clear()
    this.storage.settle()
    for (const attachment of this.list.settle()) this.#dropFiles(attachment)
  }

  async close(): Promise<void> {
    await this.storage.close()
  }

  #listed(filter: Filter): StoredAttachment[] {
    const found = this.list.select(filter)
    if (this.#unlisted.size === 0) return found
    const now = this.#now()
    return found.filter(({ id }) => (this.#unlisted.get(id) ?? now) <= now)
  }

  #now(): number {
    return this.#environment.clock.now().getTime()
  }

  #newKey(id: string, extension: string): string {
    return `${id}/${this.#environment.ids.nextUuid('file')}.${extension}`
  }

  #answer(attachment: StoredAttachment, isUpload: boolean, identity: Identity): Attachment | { url: string } {
    const entity = this.entity(attachment, identity)
    return isUpload && !this.#switches.wholeEntity ? { url: entity.url } : entity
  }

  #urlFor(attachment: StoredAttachment, identity: Identity): string {
    const { content, title, userId } = attachment
    if (content.type === 'EXTERNAL') return content.url
    const { awaitedKey, fileKey, extension } = content
    const contentType = mediaTypeOf(extension)
    if (awaitedKey !== null) {
      if (!mayChange(identity, userId)) return ''
      return this.storage.preSignedUrl({ method: 'PUT', key: awaitedKey, contentType, fileName: '' })
    }
    const fileName = `${Array.from(title).slice(0, longestFileName).join('')}.${extension}`
    return this.storage.preSignedUrl({ method: 'GET', key: fileKey ?? '', contentType, fileName })
  }

  #changeable(identity: Identity, id: string): StoredAttachment {
    const attachment = this.list.get(id)
    if (attachment === undefined) throw notFound()
    if (!mayChange(identity, attachment.userId)) {
      throw new AttachmentsError(403, 'Only its owner or an administrator may change this attachment.')
    }
    return attachment
  }

  /** What the storage says has an effect once, and none when another file, or none, is awaited by now. */
  #fileArrived({ key }: UploadNotification): string {
    const attachment = this.list.find(attachmentIdOf(key))
    const after = attachment === undefined ? undefined : completed(attachment, key, this.#now())
    if (attachment !== undefined && after !== undefined) {
      this.list.set(after)
      this.#dropFiles(attachment, after)
      return 'The attachment is COMPLETED.'
    }
    if (attachment !== undefined && keysOf(attachment).includes(key))
      return 'The attachment was COMPLETED before.'
    this.storage.delete(key)
    return 'No attachment awaits this file any more; it was removed.'
  }

  /** Removes the files that an attachment had and has no use for any more; not those that it only borrows. */
  #dropFiles(before: StoredAttachment, after?: StoredAttachment): void {
    const kept = after === undefined ? [] : keysOf(after)
    for (const key of keysOf(before)) {
      if (attachmentIdOf(key) === before.id && !kept.includes(key)) this.storage.delete(key)
    }
  }
}

function notFound(): AttachmentsError {
  return new AttachmentsError(404, 'There is no such attachment, or its file is not here yet.')
}
