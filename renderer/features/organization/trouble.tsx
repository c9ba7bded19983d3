import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceName } from '../../store/profile-name'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { ShowCurrent } from './choose-organization'
import { CredentialsForm } from './credentials-form'
import styles from './organization.module.css'
import { useOrganization, type Failure } from './use-organization'

/** Error of the organization, with the next step. */
export function Trouble({ failure: { error, at } }: { readonly failure: Failure }): ReactNode {
  const { t, i18n } = useTranslation()
  const { instanceId, which, loading, refresh } = useOrganization()
  const name = useServiceName(instanceId)
  if (error.code === 'organizations/not-offered') {
    return <p className={page.quiet}>{t('organization.notOffered', { instance: name })}</p>
  }
  const wants = error.details?.wants === 'basic' ? 'basic' : 'bearer'
  const wasRefused = error.code === 'organizations/unauthorized' && error.details?.sent !== undefined
  return (
    <div className={styles.trouble}>
      {/* A new element for each error, so that screen readers announce it again. */}
      <ErrorNote key={at} error={error} />
      {wasRefused && (
        <p className={page.quiet}>
          {t('organization.credentials.triedAt', {
            time: new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' }).format(at),
          })}
        </p>
      )}
      {error.code === 'organizations/unauthorized' && (
        <CredentialsForm key={`${instanceId} ${wants}`} wants={wants} />
      )}
      {error.code === 'organizations/not-found' && which.by !== 'current' ? (
        <ShowCurrent />
      ) : (
        <Button variant="default" loading={loading} onClick={() => void refresh()}>
          {t('organization.retry')}
        </Button>
      )}
    </div>
  )
}
