import type { StoredAttachment } from './attachment'
import { AttachmentsError } from './attachments-error'
import { linkUrl, type CreateBody, type PatchBody } from './requests'

type Content = StoredAttachment['content']

/** Gives the key under which a new file with this extension is awaited. */
type AwaitFile = (extension: string) => string

function awaited(extension: string, fileKey: string | null, awaitFile: AwaitFile): Content {
  const lowerCase = extension.toLowerCase()
  return { type: 'INTERNAL', extension: lowerCase, awaitedKey: awaitFile(lowerCase), fileKey }
}

/** A new attachment (section 3, first row): a file is awaited, a link is there at once. */
export function created(
  body: CreateBody,
  about: { id: string; userId: string; now: number; awaitFile: AwaitFile },
): StoredAttachment {
  return {
    id: about.id,
    userId: about.userId,
    title: body.title,
    description: body.description ?? null,
    videos: body.videos ?? [],
    modules: body.modules ?? [],
    content:
      body.type === 'EXTERNAL'
        ? { type: 'EXTERNAL', url: body.url }
        : awaited(body.extension, null, about.awaitFile),
    updatedAt: about.now,
  }
}

/** Only what becomes of an attachment tells whether an address in a PATCH counts. */
function checkedUrl(url: string): string {
  const parsed = linkUrl.safeParse(url)
  if (!parsed.success)
    throw new AttachmentsError(400, `url: ${parsed.error.issues[0]?.message ?? 'is malformed'}`)
  return parsed.data
}

function patchedContent(content: Content, patch: PatchBody, awaitFile: AwaitFile): Content {
  const type = patch.type ?? content.type
  switch (type) {
    case 'EXTERNAL': {
      if (patch.url !== undefined) return { type, url: checkedUrl(patch.url) }
      if (content.type === 'EXTERNAL') return content
      throw new AttachmentsError(400, 'url: is needed to make a link of a file')
    }
    case 'INTERNAL': {
      const fileKey = content.type === 'INTERNAL' ? content.fileKey : null
      if (patch.extension !== undefined) return awaited(patch.extension, fileKey, awaitFile)
      if (content.type === 'INTERNAL') return content
      throw new AttachmentsError(400, 'extension: is needed to make a file of a link')
    }
  }
}

/**
 * An attachment after a PATCH. `extension` has its file replaced: the old one stays until the new one has arrived.
 * Throws an AttachmentsError, 400, when the address of a link is none, or the type changes without what the other needs.
 */
export function patched(
  before: StoredAttachment,
  patch: PatchBody,
  about: { now: number; awaitFile: AwaitFile },
): StoredAttachment {
  return {
    ...before,
    title: patch.title ?? before.title,
    description: patch.description ?? before.description,
    videos: patch.videos ?? before.videos,
    modules: patch.modules ?? before.modules,
    content: patchedContent(before.content, patch, about.awaitFile),
    updatedAt: about.now,
  }
}

/** An attachment after the storage has said that the file under `key` is there; undefined when it awaits another. */
export function completed(before: StoredAttachment, key: string, now: number): StoredAttachment | undefined {
  const { content } = before
  if (content.type !== 'INTERNAL' || content.awaitedKey !== key) return undefined
  return { ...before, content: { ...content, awaitedKey: null, fileKey: key }, updatedAt: now }
}

/** The keys in the object storage that an attachment has a use for. */
export function keysOf({ content }: StoredAttachment): string[] {
  if (content.type === 'EXTERNAL') return []
  return [content.fileKey, content.awaitedKey].filter((key) => key !== null)
}
