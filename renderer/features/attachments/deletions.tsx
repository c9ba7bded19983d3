import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import type { DeletionItem } from '../../../contract/attachments'
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
  const undo = useCommand('undoDeleteAttachment')
  return (
    <li className={styles.transfer}>
      <div className={styles.transferHead}>
        <p className={styles.transferText}>{t(`attachments.deletion.${state}`, { title })}</p>
        {state !== 'sending' && (
          <Button
            variant="default"
            size="compact-sm"
            loading={undo.pending}
            onClick={() => void undo.run({ instanceId, attachmentId })}
          >
            {state === 'failed' ? t('attachments.deletion.dismiss') : t('attachments.deletion.undo')}
          </Button>
        )}
      </div>
      {error && <ErrorNote error={error} />}
      {undo.error && <ErrorNote error={undo.error} />}
    </li>
  )
}
