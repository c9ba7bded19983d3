import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../../contract/error-codes'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { CredentialsForm } from './credentials-form'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

/** Why there is nothing to see, with the one next thing to do. */
export function Trouble({ error }: { readonly error: ErrorReport }): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const { instanceId = '', which, loading } = browsing
  if (error.code === 'organizations/not-offered') {
    return <p className={page.quiet}>{t('organization.notOffered', { instance: instanceId })}</p>
  }
  return (
    <div className={styles.trouble}>
      <ErrorNote error={error} />
      {error.code === 'organizations/unauthorized' && (
        <CredentialsForm
          key={instanceId}
          instanceId={instanceId}
          wants={error.details?.wants === 'basic' ? 'basic' : 'bearer'}
        />
      )}
      {error.code === 'organizations/not-found' && which.by !== 'current' ? (
        <Button
          variant="default"
          onClick={() => {
            store.show({ by: 'current' })
          }}
        >
          {t('organization.showCurrent')}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={loading}
          onClick={() => {
            void store.refresh()
          }}
        >
          {t('organization.retry')}
        </Button>
      )}
    </div>
  )
}
