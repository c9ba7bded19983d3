import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionState } from '../../../contract/connection'
import { Copyable } from './copyable'
import styles from './connection.module.css'
import { formatDuration } from './duration'

/** The technical facts of a tunnel that is there, or was just interrupted. */
export function ConnectionDetails({
  connection,
  profileName,
}: {
  readonly connection: ConnectionState
  readonly profileName: string
}): ReactNode {
  const { t, i18n } = useTranslation()
  if (connection.state === 'reconnecting') {
    return (
      <dl className={styles.details}>
        <Detail name={t('connection.detail.profile')}>{profileName}</Detail>
      </dl>
    )
  }
  if (connection.state !== 'connected') return null
  const { addresses, remote, cipher, dns, since } = connection
  const domains = dnsDomains(connection)
  return (
    <dl className={styles.details}>
      <Detail name={t('connection.detail.profile')}>{profileName}</Detail>
      {addresses.ipv4 !== undefined && (
        <Detail name={t('connection.detail.ipv4')}>
          <Copyable text={addresses.ipv4} />
        </Detail>
      )}
      {addresses.ipv6 !== undefined && (
        <Detail name={t('connection.detail.ipv6')}>
          <Copyable text={addresses.ipv6} />
        </Detail>
      )}
      <Detail name={t('connection.detail.remote')}>
        <bdi dir="ltr">{remoteText(remote)}</bdi>
      </Detail>
      {cipher !== undefined && <Detail name={t('connection.detail.cipher')}>{cipher}</Detail>}
      <Detail name={t('connection.detail.duration')}>
        <Duration since={since} />
      </Detail>
      {dns !== undefined && (
        <Detail name={t('connection.detail.dns')} wide>
          <div className={styles.inRow}>
            {dns.servers.map((server) => (
              <div key={server}>
                <Copyable text={server} />
              </div>
            ))}
          </div>
          {domains.length > 0 && (
            <p className={styles.detailNote}>
              {t('connection.dns.onlyFor', { domains: new Intl.ListFormat(i18n.language).format(domains) })}
            </p>
          )}
          {!dns.applied && <p className={styles.detailNote}>{t('connection.dns.notInUse')}</p>}
        </Detail>
      )}
    </dl>
  )
}

/** The domains that the DNS servers are limited to; none where they are asked for every name. */
function dnsDomains({
  allTraffic,
  dns,
}: Extract<ConnectionState, { state: 'connected' }>): readonly string[] {
  return dns === undefined || allTraffic === true || dns.domains.includes('.') ? [] : dns.domains
}

/** `192.0.2.1:1194 (UDP)`, an IPv6 address in brackets. */
export function remoteText({
  address,
  port,
  protocol,
}: {
  readonly address: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${host}:${port} (${protocol.toUpperCase()})`
}

function Detail({
  name,
  wide = false,
  children,
}: {
  readonly name: string
  /** In a row of its own. */
  readonly wide?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={wide ? styles.wideFact : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Ticks in sight only: inside the status it would be read aloud every second. */
function Duration({ since }: { readonly since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
    }, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [])
  return (
    <span role="timer" aria-live="off">
      {formatDuration(now - since)}
    </span>
  )
}
