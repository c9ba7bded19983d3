import {
  IconFile,
  IconFileMusic,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconLink,
  IconPhoto,
  IconPresentation,
  IconVideo,
  type Icon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'

const icons: readonly (readonly [Icon, ...string[]])[] = [
  [IconFileTypePdf, 'pdf'],
  [IconPhoto, 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'heic', 'bmp', 'tif', 'tiff'],
  [IconVideo, 'mp4', 'm4v', 'mov', 'mkv', 'webm', 'avi'],
  [IconFileMusic, 'mp3', 'm4a', 'ogg', 'opus', 'flac', 'wav', 'aac'],
  [IconFileZip, 'zip', '7z', 'rar', 'gz', 'tgz', 'bz2', 'xz', 'zst', 'tar'],
  [IconFileSpreadsheet, 'xls', 'xlsx', 'ods', 'csv', 'tsv'],
  [IconPresentation, 'ppt', 'pptx', 'odp', 'key'],
  [IconFileText, 'txt', 'md', 'doc', 'docx', 'odt', 'rtf', 'html', 'htm', 'json', 'xml', 'log', 'srt', 'vtt'],
]

/** Icon for the kind of an attachment, shown beside its name. */
export function AttachmentIcon({
  attachment: { type, extension = '' },
  size = 20,
}: {
  readonly attachment: Pick<AttachmentItem, 'type' | 'extension'>
  readonly size?: number
}): ReactNode {
  const ending = extension.toLowerCase()
  const [Found] = icons.find(([, ...endings]) => endings.includes(ending)) ?? [IconFile]
  const Shown = type === 'EXTERNAL' ? IconLink : Found
  return <Shown size={size} stroke={1.75} aria-hidden />
}

/** Returns a function that names the kind of an attachment. */
export function useKind(): (attachment: Pick<AttachmentItem, 'type' | 'extension'>) => string {
  const { t } = useTranslation()
  return ({ type, extension }) => {
    if (type === 'EXTERNAL') return t('attachments.link')
    return extension === undefined || extension === ''
      ? t('attachments.file')
      : t('attachments.fileOf', { extension })
  }
}
