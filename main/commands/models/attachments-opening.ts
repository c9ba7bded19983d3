import { extname } from 'node:path'
import { safeUrl } from '../../../contract/safe-url'
import type { Transfer } from '../../services/attachments/transfer'
import { CausewayError } from '../../errors'

/**
 * File types that programs only display. Types that can contain code (scripts, installers, pages, archives, documents with
 * macros) are not here: Causeway shows them in their folder, and the user decides whether to open them.
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

/** Returns whether to open a downloaded file with the default program, or to show it in its folder. */
export function opensAs({ path, isUnmarked }: Pick<Transfer, 'path' | 'isUnmarked'>): 'file' | 'folder' {
  if (isUnmarked === true) return 'folder'
  return shownOnly.has(extname(path).slice(1).toLowerCase()) ? 'file' : 'folder'
}

/** Returns the URL of a link if it's safe to open in a browser. Throws `attachments/unsafe-link`. */
export function openableLink(address: string): URL {
  const url = safeUrl('page', address)
  if (url !== undefined) return url
  throw new CausewayError('attachments/unsafe-link')
}
