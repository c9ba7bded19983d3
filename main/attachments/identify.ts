import type { Attachment } from './attachment'
import type { AwaitedFile, NewFile } from './attachments-client'

/**
 * Which attachment on the first page of the list was made by announcing this file: the document answers with the address
 * alone. Addresses of one file differ in their queries only; where no address tells, it is the only one that fits.
 * `known` are ids that belong to other files.
 */
export function identify(
  page: readonly Attachment[],
  file: NewFile,
  awaited: Pick<AwaitedFile, 'uploadUrl'>,
  known: ReadonlySet<string>,
): string | undefined {
  const fitting = page.filter(
    ({ id, type, status, title, extension }) =>
      type === 'INTERNAL' &&
      status === 'IN_PROGRESS' &&
      title === file.title &&
      extension?.toLowerCase() === file.extension &&
      !known.has(id),
  )
  const place = placeOf(awaited.uploadUrl.href)
  const same = fitting.find(({ url }) => placeOf(url) === place)
  if (same !== undefined) return same.id
  return fitting.length === 1 ? fitting[0]?.id : undefined
}

function placeOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}
