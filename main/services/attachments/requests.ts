import type { VariantOf } from '../../../contract/error-details'
import { readUrl } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import type { AttachmentQuery } from './attachment'
import type { AttachmentEdit, AttachmentLinks, AttachmentTexts, NewFile, NewLink } from './attachments-client'

export type Body = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the query of a listing; lists become repeated parameters. Throws `attachments/invalid-request`, like the other
 * functions here.
 */
export function listQuery(query: AttachmentQuery): URLSearchParams {
  const { page, pageSize, userId, videos = [], modules = [] } = query
  const search = new URLSearchParams()
  for (const [field, value] of [
    ['pageSize', pageSize],
    ['page', page],
  ] as const) {
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value < 1) throw invalidRequest(field, 'number')
    search.set(field, String(value))
  }
  if (userId !== undefined) search.set('userId', userId)
  for (const video of videos) search.append('videos', video)
  for (const module of modules) search.append('modules', module)
  return search
}

/** Encodes an id as a path segment. Rejects dots, which would lead to another path. */
export function idSegment(id: string, field: string): string {
  if (id === '' || id === '.' || id === '..' || /\p{Cs}/u.test(id)) {
    throw invalidRequest(field, 'id')
  }
  return encodeURIComponent(id)
}

export function linkBody(link: NewLink): Body {
  return { type: 'EXTERNAL', ...texts(link), url: linkUrl(link.url), ...links(link) }
}

export function fileBody(file: NewFile): Body {
  return { type: 'INTERNAL', ...texts(file), extension: checkedExtension(file.extension), ...links(file) }
}

/** Returns the body without `extension`, which would replace the file (section 4, rule 2). */
export function editBody(edit: AttachmentEdit): Body {
  const url = edit.type === 'EXTERNAL' ? edit.url : undefined
  return {
    type: edit.type,
    ...texts(edit),
    url: url === undefined ? undefined : linkUrl(url),
    ...links(edit),
  }
}

function texts({ title, description }: AttachmentTexts): Body {
  if (title.trim() === '') throw invalidRequest('title', 'title')
  return { title, description }
}

function links({ videos, modules }: AttachmentLinks): Body {
  return { videos: videos && ids(videos, 'videos'), modules: modules && ids(modules, 'modules') }
}

function ids(given: readonly string[], field: string): readonly string[] {
  if (given.includes('')) throw invalidRequest(field, 'id')
  return given
}

/** Checks a link: http or https, without a password. */
function linkUrl(text: string): string {
  const url = readUrl('page', text)
  if (url instanceof URL) return url.href
  throw invalidRequest('url', url === 'userinfo' ? 'credentials' : 'url')
}

function checkedExtension(extension: string): string {
  if (/^[^\s./\\:\p{C}]{1,32}$/u.test(extension)) return extension.toLowerCase()
  throw invalidRequest('extension', 'extension')
}

function invalidRequest(field: string, variant: VariantOf<'attachments/invalid-request'>): CausewayError {
  return new CausewayError('attachments/invalid-request', {
    variant,
    details: { field },
  })
}
