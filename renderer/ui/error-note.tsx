import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { openVpnLine } from '../../contract/error-text'
import { CopyForSupport } from './copy-for-support'
import { ErrorFigures } from './error-figures'
import styles from './error-note.module.css'
import { useErrorText } from './use-error-text'

/**
 * An error: what happened, what to do and its code, with the server's message, the directive or the file if known. A
 * `notice` isn't a failure: it isn't red and doesn't interrupt screen readers.
 */
export function ErrorNote({
  error,
  tone = 'failure',
  support = true,
}: {
  readonly error: ErrorReport
  readonly tone?: 'failure' | 'notice'
  /** False if a button for the support report is already beside it. */
  readonly support?: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { what, todo } = useErrorText(error)
  const { code } = error
  const text = textOf(error, 'error') ?? textOf(error, 'description')
  const path = textOf(error, 'movedTo') ?? textOf(error, 'path')
  const directive = textOf(error, 'directive')
  const line = code.startsWith('profile-configuration/') ? error.details?.line : undefined
  const openVpn = openVpnLine(error)
  const issuer = code === 'http/tls-failed' ? textOf(error, 'issuer') : undefined
  const clientId = code === 'oauth/client-refused' ? textOf(error, 'clientId') : undefined
  const versions = versionsOf(error)
  const facts = [
    text && t('error.serverSays', { text }),
    issuer && t('error.issuer', { issuer }),
    clientId && t('error.clientId', { clientId }),
    versions && t('error.versions', { versions }),
    directive && t('error.directive', { directive }),
    typeof line === 'number' ? t('error.line', { line }) : undefined,
    path && t('error.file', { path }),
  ]
  return (
    <div className={styles.note} data-tone={tone}>
      <div role={tone === 'failure' ? 'alert' : undefined} className={styles.words}>
        <p className={styles.what}>
          <IconAlertCircle size={20} className={styles.icon} aria-hidden />
          <span>{what}</span>
        </p>
        <p>{todo}</p>
        <ErrorFigures error={error} />
        {facts.map(
          (fact, index) =>
            fact && (
              <p key={index} className={styles.fact}>
                {fact}
              </p>
            ),
        )}
      </div>
      <details className={styles.more}>
        <summary>{t('error.more')}</summary>
        <p className={styles.code}>{t('error.code', { code: error.code })}</p>
        {openVpn !== undefined && <p className={styles.code}>{t('error.openvpn', { text: openVpn })}</p>}
        {tone === 'failure' && support && <CopyForSupport />}
      </details>
    </div>
  )
}

function textOf(error: ErrorReport, name: string): string | undefined {
  const value = error.details?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the API versions that a portal offers, none of which is supported. */
function versionsOf(error: ErrorReport): string {
  const versions = error.details?.versions
  return Array.isArray(versions) ? versions.filter((version) => typeof version === 'number').join(', ') : ''
}
