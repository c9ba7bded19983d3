import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import type { DeletionItem } from '../../../contract/attachments'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import styles from './attachments.module.css'

/** Pending deletions, which can be undone, and failed ones. */
export function Deletions(): ReactNode {
  const { t } = useTranslation()
  const { deletions } = useAppState()
  return (
    <div role="status" aria-label={t('attachments.deletion.title')}>
      {deletions.length > 0 && (
        <ul className={styles.under}>
          {deletions.map((deletion) => (
            <DeletionRow key={`${deletion.instanceId} ${deletion.attachmentId}`} deletion={deletion} />
          ))}
        </ul>
      )}
    </div>
  )
}

function DeletionRow({
  deletion: { instanceId, attachmentId, title, state, error },
}: {
  readonly deletion: DeletionItem
}): ReactNode {
  const { t } = useTranslation()
  return (
    <li className={styles.transfer}>
      <div className={styles.transferHead}>
        <p className={styles.transferText}>{t(`attachments.deletion.${state}`, { title })}</p>
        {state !== 'sending' && (
          <CommandButton
            command="undoDeleteAttachment"
            input={{ instanceId, attachmentId }}
            size="compact-sm"
          >
            {state === 'failed' ? t('attachments.deletion.dismiss') : t('attachments.deletion.undo')}
          </CommandButton>
        )}
      </div>
      {error && <ErrorNote error={error} />}
    </li>
  )
}
