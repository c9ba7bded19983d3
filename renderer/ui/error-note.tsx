import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { CopyForSupport } from './copy-for-support'
import { ErrorFigures } from './error-figures'
import styles from './error-note.module.css'
import { useErrorText } from './use-error-text'

/**
 * What happened, what to do, and the code; with what the server said, or the directive or file it is about, where known. A
 * `notice` is of something that did not fail: it does not interrupt, and is not red.
 */
export function ErrorNote({
  error,
  tone = 'failure',
  support = true,
}: {
  readonly error: ErrorReport
  readonly tone?: 'failure' | 'notice'
  /** False where the way to what support asks for is beside it already. */
  readonly support?: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { what, todo } = useErrorText(error)
  const serverText = textOf(error, 'error') ?? textOf(error, 'description')
  const path = textOf(error, 'movedTo') ?? textOf(error, 'path')
  const directive = textOf(error, 'directive')
  const issuer = textOf(error, 'issuer')
  const clientId = textOf(error, 'clientId')
  const versions = versionsOf(error)
  return (
    <div className={styles.note} data-tone={tone}>
      <div role={tone === 'failure' ? 'alert' : undefined} className={styles.words}>
        <p className={styles.what}>
          <IconAlertCircle size={20} className={styles.icon} aria-hidden />
          <span>{what}</span>
        </p>
        <p>{todo}</p>
        {serverText !== undefined && (
          <p className={styles.fact}>{t('error.serverSays', { text: serverText })}</p>
        )}
        <ErrorFigures error={error} />
        {error.code === 'http/tls-failed' && issuer !== undefined && (
          <p className={styles.fact}>{t('error.issuer', { issuer })}</p>
        )}
        {error.code === 'oauth/client-refused' && clientId !== undefined && (
          <p className={styles.fact}>{t('error.clientId', { clientId })}</p>
        )}
        {versions !== '' && <p className={styles.fact}>{t('error.versions', { versions })}</p>}
        {directive !== undefined && <p className={styles.fact}>{t('error.directive', { directive })}</p>}
        {path !== undefined && <p className={styles.fact}>{t('error.file', { path })}</p>}
        <p className={styles.code}>{t('error.code', { code: error.code })}</p>
      </div>
      {tone === 'failure' && support && <CopyForSupport />}
    </div>
  )
}

function textOf(error: ErrorReport, name: string): string | undefined {
  const value = error.details?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The versions of the VPN API that a portal was found to offer, of which none can be used. */
function versionsOf(error: ErrorReport): string {
  const versions = error.details?.versions
  return Array.isArray(versions) ? versions.filter((version) => typeof version === 'number').join(', ') : ''
}
