import { extname } from 'node:path'
import type { Transfer } from '../services/attachments/transfer'
import { CausewayError } from '../errors'

/**
 * Kinds of files that the system's program only shows. What can hold a program of its own (scripts, installers, pages, archives,
 * documents with macros) is not here: such a file is shown in its folder, where opening it is the person's own decision.
 */
const shownOnly = new Set(
  [
    ['pdf', 'txt', 'md', 'csv', 'tsv', 'log', 'srt', 'vtt', 'json'],
    ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'bmp', 'tif', 'tiff'],
    ['mp3', 'm4a', 'ogg', 'opus', 'flac', 'wav', 'aac'],
    ['mp4', 'm4v', 'mov', 'mkv', 'webm', 'avi'],
    ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
  ].flat(),
)

/** Whether a downloaded file is opened with the system's program for it, or shown in its folder only. */
export function opensAs({ path, isUnmarked }: Pick<Transfer, 'path' | 'isUnmarked'>): 'file' | 'folder' {
  if (isUnmarked === true) return 'folder'
  return shownOnly.has(extname(path).slice(1).toLowerCase()) ? 'file' : 'folder'
}

/** The address of a link, where a browser may be given it. Throws `attachments/unsafe-link`. */
export function openableLink(address: string): URL {
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && url.hostname !== '' && url.username === '' && url.password === '') return url
  throw new CausewayError(
    'attachments/unsafe-link',
    "Causeway doesn't open links of this kind. Ask its author for a link that starts with https://.",
  )
}
