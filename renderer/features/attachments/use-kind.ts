import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'

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
