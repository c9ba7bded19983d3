import mime from 'mime-types'
import { z } from 'zod'
import { rememberLast } from '../remember-last'
import { int, orNull } from '../schemas'
import { seedAttachments } from '../seed/attachments'
import type { Environment, Part } from '../state/environment'
import { delaySeconds, flag, switchDefinitions, Switches } from '../state/switches'
import { ObjectStorage } from '../storage/object-storage'
import type { UploadNotification } from '../topic/topic'
import { AttachmentList } from './attachment-list'
import {
  type Attachment,
  attachmentIdOf,
  type CreateBody,
  type Filter,
  isInProgress,
  linkUrl,
  type PageQuery,
  type PatchBody,
  type StoredAttachment,
} from './attachment'
import { Refusal } from '../http/refusal'
import { mayChange, type Identity } from './identity'

export const attachmentsSwitches = switchDefinitions({
  wholeEntity: flag(
    'Create answers with the whole attachment, and lists are {items, totalCount}, as on a known server.',
  ),
  forbidden: flag('Answers 403 to every request.'),
  oldestFirst: flag('Lists start with the oldest update.'),
  listDelaySeconds: delaySeconds("Lists show a new attachment only after this time by the mock's clock."),
  strict: flag('Refuses parameters and fields that are not in the document with 400, which names them.'),
  maxOnPage: orNull(
    int(1, 1e9),
    'The largest page of a list, whatever the client requests; null for no limit.',
  ),
  rolesAsJson: flag('x-user-roles is a JSON array of roles; a list with commas is answered 400.'),
  rolesUnchecked: flag('Every caller has every role, whatever x-user-roles says.'),
  bracketFilters: flag(
    'Lists are filtered by videos[] and modules[]; the names without brackets are answered 400.',
  ),
  linkDelaySeconds: delaySeconds("New links are IN_PROGRESS for this time by the mock's clock."),
  createdStatus: z.literal([200, 201]).describe('The status of a creation.').default(201),
  badRecords: flag('Lists start with three records that violate the document.'),
})

type Content = StoredAttachment['content']

const record = { userId: 'tester', url: '', status: 'COMPLETED', type: 'INTERNAL', title: 'Bad' }
const badRecords: readonly Buffer[] = [
  { ...record, id: 'bad-videos', videos: null, modules: [] },
  { ...record, id: 'bad-status', status: 'LOST', videos: [], modules: [] },
  { ...record, videos: [], modules: [] },
].map((bad) => Buffer.from(JSON.stringify(bad)))

/** Entity tag of an empty file. */
const noEtag = '"d41d8cd98f00b204e9800998ecf8427e"'

const comma = Buffer.from(',')

function joined(name: 'items' | 'data', totalCount: number, ...records: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from(`{"${name}":[`),
    ...records.flatMap((record, index) => (index === 0 ? [record] : [comma, record])),
    Buffer.from(`],"totalCount":${totalCount}}`),
  ])
}

/** Number of code points of the title that a download's file name keeps. */
const maxFileName = 100

/** Returns the media type for this extension. An upload must have it. */
function mediaTypeOf(extension: string): string {
  const type = mime.lookup(extension)
  return type === false ? 'application/octet-stream' : type
}

/** The attachments service (attachments-service.md) with the object storage that holds its files. */
export class AttachmentsService implements Part {
  readonly storage: ObjectStorage
  readonly list: AttachmentList
  readonly #environment: Environment
  readonly switches = new Switches(attachmentsSwitches)
  /** JSON of attachments as they were last listed, and what it depends on. */
  #jsonCache = new WeakMap<
    StoredAttachment,
    { origin: string; expires: number; isOwn: boolean; json: Buffer }
  >()
  readonly #joined = rememberLast(joined)
  /** Times in milliseconds from which lists show these attachments. */
  readonly #unlisted = new Map<string, number>()
  /** Times in milliseconds until which these links are IN_PROGRESS. */
  readonly #pendingLinks = new Map<string, number>()

  constructor(environment: Environment) {
    this.#environment = environment
    this.list = new AttachmentList(environment.persistence)
    this.storage = new ObjectStorage(environment)
    this.storage.uploads.subscribe((notification) => this.#fileArrived(notification))
  }

  /** Returns the JSON of a page, as this caller sees it, with the number of all attachments that match. */
  page(identity: Identity, filter: Filter, { page, pageSize }: PageQuery): Buffer {
    const { wholeEntity, oldestFirst, maxOnPage, badRecords: hasBad } = this.switches.values
    const bad = hasBad ? badRecords : []
    const now = this.#now()
    const all = this.list.select(filter)
    const isListed = ({ id }: StoredAttachment) => (this.#unlisted.get(id) ?? now) <= now
    const found = this.#unlisted.size === 0 ? all : all.filter(isListed)
    const sorted = oldestFirst ? found.toReversed() : found
    const size = Math.min(pageSize, maxOnPage ?? pageSize)
    const start = (page - 1) * size
    const good = sorted.slice(Math.max(0, start - bad.length), Math.max(0, start + size - bad.length))
    return this.#joined(
      wholeEntity ? 'items' : 'data',
      bad.length + found.length,
      ...bad.slice(start, start + size),
      ...this.#serialized(good, identity),
    )
  }

  /** Returns a completed attachment. Throws a Refusal with 404 for others (section 7). */
  read(identity: Identity, id: string): Attachment {
    const attachment = this.list.get(id)
    if (attachment === undefined || this.#isInProgress(attachment)) throw notFound()
    return this.entity(attachment, identity)
  }

  /** Creates an attachment. Answers a link with the whole attachment and a file with its upload URL (section 4). */
  create(identity: Identity, body: CreateBody): Attachment | { url: string } {
    return this.#environment.persistence.together(() => {
      const id = this.#environment.ids.nextUuid('attachment')
      const { title, description = null, videos = [], modules = [] } = body
      const content =
        body.type === 'EXTERNAL'
          ? { type: body.type, url: body.url }
          : this.#awaited(id, body.extension, null)
      const about = { id, userId: identity.userId, title, description, videos, modules }
      const attachment: StoredAttachment = { ...about, content, updatedAt: this.#now() }
      this.list.set(attachment)
      const { linkDelaySeconds, listDelaySeconds } = this.switches.values
      if (listDelaySeconds > 0) this.#unlisted.set(id, this.#now() + 1000 * listDelaySeconds)
      if (body.type === 'EXTERNAL' && linkDelaySeconds > 0) {
        this.#pendingLinks.set(id, this.#now() + 1000 * linkDelaySeconds)
      }
      return this.#answer(attachment, isInProgress(attachment), identity)
    })
  }

  /** Changes an attachment. Throws a Refusal: 404, 403 for all but owner and administrators, 400. */
  patch(identity: Identity, id: string, body: PatchBody): Attachment | { url: string } {
    const before = this.#changeable(identity, id)
    const after = this.#environment.persistence.together(() => {
      const { type, url, extension, ...fields } = body
      const content = this.#patchedContent(before, body)
      const changed = { ...before, ...fields, content, updatedAt: this.#now() }
      this.list.set(changed)
      return changed
    })
    this.#dropFiles(before, after)
    const isNewUpload = after.content !== before.content && isInProgress(after)
    return this.#answer(after, isNewUpload, identity)
  }

  /** Deletes an attachment and its file. Throws a Refusal: 404, 403 for all but owner and administrators. */
  delete(identity: Identity, id: string): void {
    const attachment = this.#changeable(identity, id)
    this.list.delete(id)
    this.#dropFiles(attachment)
  }

  /** Delivers the notification for this attachment's file now, despite all faults. Throws a Refusal: 404, 409. */
  notify(id: string): void {
    const attachment = this.list.get(id)
    if (attachment === undefined) throw new Refusal(404, 'There is no attachment with this id.')
    const { content } = attachment
    if (content.type === 'EXTERNAL') {
      throw new Refusal(409, 'The attachment is a link: nothing is uploaded for it.')
    }
    const key = content.awaitedKey ?? content.fileKey ?? ''
    if (this.storage.uploads.deliverNow(key) > 0) return
    const { etag, size } = this.storage.get(key) ?? { etag: noEtag, size: 0 }
    const time = this.#environment.clock.now().toISOString()
    this.storage.uploads.publishNow({ key, etag, size, time })
  }

  /** Returns the attachment as this caller sees it. A file gets a new pre-signed URL. */
  entity(attachment: StoredAttachment, identity: Identity): Attachment {
    const { id, userId, title, description, videos, modules, content } = attachment
    return {
      id,
      userId,
      url: this.#urlFor(attachment, identity),
      status: this.#isInProgress(attachment) ? 'IN_PROGRESS' : 'COMPLETED',
      type: content.type,
      title,
      description: description ?? undefined,
      extension: content.type === 'INTERNAL' ? content.extension : undefined,
      videos,
      modules,
    }
  }

  reset(): void {
    this.list.revertScenario()
    this.list.clear()
    this.#jsonCache = new WeakMap()
    this.storage.reset()
    const seed = seedAttachments(this.#environment.seed, this.#now())
    for (const attachment of seed.attachments) this.list.set(attachment)
    for (const { key, extension, bytes, modifiedAt } of seed.files) {
      this.storage.seed(key, mediaTypeOf(extension), bytes, modifiedAt)
    }
  }

  revertScenario(): void {
    this.switches.revert()
    this.#unlisted.clear()
    this.#pendingLinks.clear()
    this.#jsonCache = new WeakMap()
    this.storage.revertScenario()
    for (const attachment of this.list.revertScenario()) this.#dropFiles(attachment)
  }

  async close(): Promise<void> {
    await this.storage.close()
  }

  #serialized(attachments: readonly StoredAttachment[], identity: Identity): Buffer[] {
    const origin = this.#environment.origin()
    const expires = this.storage.urlExpiry
    return attachments.map((attachment) => {
      const isOwn = mayChange(identity, attachment.userId)
      const before = this.#jsonCache.get(attachment)
      if (before?.expires === expires && before.isOwn === isOwn && before.origin === origin)
        return before.json
      const json = Buffer.from(JSON.stringify(this.entity(attachment, identity)))
      if (!this.#pendingLinks.has(attachment.id))
        this.#jsonCache.set(attachment, { origin, expires, isOwn, json })
      return json
    })
  }

  #isInProgress(attachment: StoredAttachment): boolean {
    if (isInProgress(attachment)) return true
    const until = this.#pendingLinks.get(attachment.id)
    if (until === undefined) return false
    if (until > this.#now()) return true
    this.#pendingLinks.delete(attachment.id)
    return false
  }

  #now(): number {
    return this.#environment.clock.now().getTime()
  }

  /** Returns the content of an attachment that awaits a new file. With `fileKey`, the old file stays until it arrives. */
  #awaited(id: string, extension: string, fileKey: string | null): Content {
    const lowerCase = extension.toLowerCase()
    const awaitedKey = `${id}/${this.#environment.ids.nextUuid('file')}.${lowerCase}`
    return { type: 'INTERNAL', extension: lowerCase, awaitedKey, fileKey }
  }

  #patchedContent({ id, content }: StoredAttachment, patch: PatchBody): Content {
    const { type = content.type, url, extension } = patch
    if (type === 'EXTERNAL') {
      // A PATCH ignores the address when the attachment ends up as a file, so it is checked only here.
      const parsed = linkUrl.optional().safeParse(url)
      if (!parsed.success) throw new Refusal(400, `url: ${parsed.error.issues[0]?.message ?? 'is malformed'}`)
      if (parsed.data !== undefined) return { type, url: parsed.data }
      if (content.type === type) return content
      throw new Refusal(400, 'url: is needed to make a link of a file')
    }
    const fileKey = content.type === 'INTERNAL' ? content.fileKey : null
    if (extension !== undefined) return this.#awaited(id, extension, fileKey)
    if (content.type === type) return content
    throw new Refusal(400, 'extension: is needed to make a file of a link')
  }

  #answer(attachment: StoredAttachment, isUpload: boolean, identity: Identity): Attachment | { url: string } {
    const entity = this.entity(attachment, identity)
    return isUpload && !this.switches.values.wholeEntity ? { url: entity.url } : entity
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
    const fileName = `${Array.from(title).slice(0, maxFileName).join('')}.${extension}`
    return this.storage.preSignedUrl({ method: 'GET', key: fileKey ?? '', contentType, fileName })
  }

  #changeable(identity: Identity, id: string): StoredAttachment {
    const attachment = this.list.get(id)
    if (attachment === undefined) throw notFound()
    if (!mayChange(identity, attachment.userId)) {
      throw new Refusal(403, 'Only its owner or an administrator may change this attachment.')
    }
    return attachment
  }

  /** Handles a storage notification. A repeated one, or one for a file that is no longer awaited, changes nothing. */
  #fileArrived({ key }: UploadNotification): string {
    const attachment = this.list.find(attachmentIdOf(key))
    const content = attachment?.content
    if (attachment !== undefined && content?.type === 'INTERNAL' && content.awaitedKey === key) {
      const after = {
        ...attachment,
        content: { ...content, awaitedKey: null, fileKey: key },
        updatedAt: this.#now(),
      }
      this.list.set(after)
      this.#dropFiles(attachment, after)
      return 'The attachment is COMPLETED.'
    }
    if (attachment !== undefined && keysOf(attachment).includes(key))
      return 'The attachment was COMPLETED before.'
    this.storage.delete(key)
    return 'No attachment awaits this file any more; it was removed.'
  }

  /** Deletes files that the attachment no longer uses, except sample files that it shares with others. */
  #dropFiles(before: StoredAttachment, after?: StoredAttachment): void {
    const remaining = after === undefined ? [] : keysOf(after)
    for (const key of keysOf(before)) {
      if (attachmentIdOf(key) === before.id && !remaining.includes(key)) this.storage.delete(key)
    }
  }
}

function notFound(): Refusal {
  return new Refusal(404, 'There is no such attachment, or its file is not here yet.')
}

function keysOf({ content }: StoredAttachment): string[] {
  if (content.type === 'EXTERNAL') return []
  return [content.fileKey, content.awaitedKey].filter((key) => key !== null)
}
