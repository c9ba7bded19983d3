import { CausewayError } from '../../errors'
import type { AttachmentQuery } from './attachment'
import type { AttachmentEdit, AttachmentLinks, AttachmentTexts, NewFile, NewLink } from './attachments-client'

export type Body = Readonly<Record<string, string | readonly string[]>>

/** The query of a listing; lists are repeated parameters. Throws `attachments/invalid-request`, as all here do. */
export function listQuery(query: AttachmentQuery): URLSearchParams {
  const { page, pageSize, userId, videos = [], modules = [] } = query
  const search = new URLSearchParams()
  for (const [field, value] of [
    ['pageSize', pageSize],
    ['page', page],
  ] as const) {
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalidRequest(field, 'It must be a whole number, 1 or greater.')
    search.set(field, String(value))
  }
  if (userId !== undefined) search.set('userId', userId)
  for (const video of videos) search.append('videos', video)
  for (const module of modules) search.append('modules', module)
  return search
}

/** The segment of a path that an id is. Two dots would lead elsewhere. */
export function idSegment(id: string, field: string): string {
  if (id === '' || id === '.' || id === '..' || /\p{Cs}/u.test(id)) {
    throw invalidRequest(field, 'Check it and try again.')
  }
  return encodeURIComponent(id)
}

export function linkBody(link: NewLink): Body {
  return { type: 'EXTERNAL', ...texts(link), url: linkUrl(link.url), ...links(link) }
}

export function fileBody(file: NewFile): Body {
  return { type: 'INTERNAL', ...texts(file), extension: checkedExtension(file.extension), ...links(file) }
}

/** Without `extension`, which would have the file replaced (section 4, rule 2). */
export function editBody(edit: AttachmentEdit): Body {
  const url = edit.type === 'EXTERNAL' ? edit.url : undefined
  return {
    type: edit.type,
    ...texts(edit),
    ...(url === undefined ? {} : { url: linkUrl(url) }),
    ...links(edit),
  }
}

function texts({ title, description }: AttachmentTexts): Body {
  if (title.trim() === '') throw invalidRequest('title', 'A title is required.')
  return { title, ...(description === undefined ? {} : { description }) }
}

function links({ videos, modules }: AttachmentLinks): Body {
  return {
    ...(videos === undefined ? {} : { videos: ids(videos, 'videos') }),
    ...(modules === undefined ? {} : { modules: ids(modules, 'modules') }),
  }
}

function ids(given: readonly string[], field: string): readonly string[] {
  if (given.includes('')) throw invalidRequest(field, "An ID can't be empty.")
  return given
}

/** A link that a browser opens and that takes no password along. */
function linkUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === '') {
    throw invalidRequest('url', 'A link starts with https:// or http://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidRequest('url', "A link can't contain a user name or password. Leave them out.")
  }
  return url.href
}

function checkedExtension(extension: string): string {
  if (/^[^\s./\\:\p{C}]{1,32}$/u.test(extension)) return extension.toLowerCase()
  throw invalidRequest('extension', 'An extension has at most 32 letters and digits, and no dot.')
}

function invalidRequest(field: string, todo: string): CausewayError {
  return new CausewayError('attachments/invalid-request', `The ${field} isn't valid. ${todo}`, {
    details: { field },
  })
}
