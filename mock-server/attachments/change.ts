import type { StoredAttachment } from './attachment'
import { Refusal } from '../http/refusal'
import { linkUrl, type CreateBody, type PatchBody } from './requests'

type Content = StoredAttachment['content']

type AwaitFile = (extension: string) => string

function awaited(extension: string, fileKey: string | null, awaitFile: AwaitFile): Content {
  const lowerCase = extension.toLowerCase()
  return { type: 'INTERNAL', extension: lowerCase, awaitedKey: awaitFile(lowerCase), fileKey }
}

/** Returns a new attachment (section 3, first row): a file is awaited, a link is complete. */
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

/** Checks the address only now, because a PATCH ignores it when the attachment ends up as a file. */
function checkedUrl(url: string): string {
  const parsed = linkUrl.safeParse(url)
  if (!parsed.success) throw new Refusal(400, `url: ${parsed.error.issues[0]?.message ?? 'is malformed'}`)
  return parsed.data
}

function patchedContent(content: Content, patch: PatchBody, awaitFile: AwaitFile): Content {
  const type = patch.type ?? content.type
  switch (type) {
    case 'EXTERNAL': {
      if (patch.url !== undefined) return { type, url: checkedUrl(patch.url) }
      if (content.type === 'EXTERNAL') return content
      throw new Refusal(400, 'url: is needed to make a link of a file')
    }
    case 'INTERNAL': {
      const fileKey = content.type === 'INTERNAL' ? content.fileKey : null
      if (patch.extension !== undefined) return awaited(patch.extension, fileKey, awaitFile)
      if (content.type === 'INTERNAL') return content
      throw new Refusal(400, 'extension: is needed to make a file of a link')
    }
  }
}

/**
 * Returns the attachment after a PATCH. With `extension`, a new upload starts and the old file stays until it
 * completes. Throws a Refusal with 400 when a link's address is invalid, or the type changes without the
 * fields of the new type.
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

/** Returns the attachment once the file under `key` has arrived; undefined when it awaits another file. */
export function completed(before: StoredAttachment, key: string, now: number): StoredAttachment | undefined {
  const { content } = before
  if (content.type !== 'INTERNAL' || content.awaitedKey !== key) return undefined
  return { ...before, content: { ...content, awaitedKey: null, fileKey: key }, updatedAt: now }
}

export function keysOf({ content }: StoredAttachment): string[] {
  if (content.type === 'EXTERNAL') return []
  return [content.fileKey, content.awaitedKey].filter((key) => key !== null)
}
