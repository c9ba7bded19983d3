import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState } from '../../store/context'
import { useErrorTexts } from '../../ui/use-error-text'
import { Duration } from './duration-since'
import { rateText } from './rate-text'
import styles from './stage.module.css'
import { currentRate, useTraffic } from './use-traffic'

export function ErrorLine({ error }: { readonly error: ErrorReport }): ReactNode {
  const { what, todo } = useErrorTexts()(error)
  return (
    <>
      {what} <span className={styles.todo}>{todo}</span>
    </>
  )
}

/** Figures while connected as promised, else the sentence; and the end of access. */
export function Line({
  description: { tone, sentences, values },
  access,
}: {
  readonly description: ConnectionDescription
  readonly access: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy } = useAppState()
  if (connection.state === 'connected' && tone === 'on') {
    return (
      <span className={styles.figures}>
        <Duration since={connection.since} />
        <Rates />
        {access !== undefined && <span>{access}</span>}
        {heldBy && <span>{t(`connection.heldBy.${heldBy.kind}`, { pid: heldBy.pid })}</span>}
      </span>
    )
  }
  const own = sentences
    .filter((key) => key !== 'connection.sentence.connected')
    // What becomes of the traffic comes first: the end of a long line is cut off.
    .sort((one, other) => Number(isMeanwhile(other)) - Number(isMeanwhile(one)))
  return (
    <>
      {connection.state === 'connected' && (
        <>
          <Duration since={connection.since} />
          <span aria-hidden> · </span>
        </>
      )}
      {[
        ...own.map((key) => t(key, values)),
        ...(heldBy ? [t(`connection.heldBy.${heldBy.kind}`, { pid: heldBy.pid })] : []),
        ...((tone === 'off' || tone === 'limited') && access !== undefined ? [access] : []),
      ].join(' ')}
    </>
  )
}

function isMeanwhile(key: string): boolean {
  return key.startsWith('connection.meanwhile.')
}

/** The download and upload of this second; nothing where nobody counts them. */
function Rates(): ReactNode {
  const { t, i18n } = useTranslation()
  const rate = currentRate(useTraffic())
  if (rate === undefined) return null
  return (['down', 'up'] as const).map((line) => {
    const text = rateText(rate[line], i18n.language)
    return (
      <span key={line}>
        <span aria-hidden>{line === 'down' ? '↓ ' : '↑ '}</span>
        <span aria-label={`${t(`connection.traffic.${line}`)}: ${text}`} role="img">
          {text}
        </span>
      </span>
    )
  })
}
