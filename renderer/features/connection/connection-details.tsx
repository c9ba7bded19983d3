import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionState } from '../../../contract/connection'
import { remoteText } from '../../../contract/describe-connection'
import { protocolNames } from '../../ui/protocol-names'
import { Copyable } from './copyable'
import { Duration } from './duration-since'
import styles from './connection.module.css'

type Connected = Extract<ConnectionState, { state: 'connected' }>

/** The technical facts of a tunnel. */
export function ConnectionDetails({ connection }: { readonly connection: Connected }): ReactNode {
  const { t, i18n } = useTranslation()
  const { addresses, remote, protocol, handshakeAt, cipher, dns, routes = [] } = connection
  const { outside = [], local = [] } = connection
  const { dnsOutside } = connection
  const domains = dnsDomains(connection)
  return (
    <dl className={styles.details}>
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
      {protocol !== undefined && (
        <Detail name={t('connection.detail.protocol')}>{protocolNames[protocol]}</Detail>
      )}
      {handshakeAt !== undefined && (
        <Detail name={t('connection.detail.handshake')}>
          <Duration since={handshakeAt} />
        </Detail>
      )}
      {cipher !== undefined && <Detail name={t('connection.detail.cipher')}>{cipher}</Detail>}
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
          {dns.allNames && <p className={styles.detailNote}>{t('connection.dns.allNames')}</p>}
          {!dns.applied && (
            <p className={styles.detailNote}>
              {t(dns.problem ? `connection.dns.${dns.problem}` : 'connection.dns.notInUse')}
            </p>
          )}
          {dnsOutside && (
            <p className={styles.detailNote}>
              {t('connection.dns.outside', {
                servers: new Intl.ListFormat(i18n.language).format(dnsOutside),
              })}
            </p>
          )}
        </Detail>
      )}
      <Networks name={t('connection.detail.routes')} networks={routes} />
      <Networks name={t('connection.detail.outside')} networks={[...outside, ...local]} />
      <Networks name={t('connection.detail.appsOutside')} networks={connection.apps?.outside ?? []} />
      <Networks name={t('connection.detail.appsInside')} networks={connection.apps?.inside ?? []} />
    </dl>
  )
}

/** The domains that the DNS servers are limited to; none where they are asked for every name. */
function dnsDomains({ allTraffic, allIpv4, outside, dns }: Connected): readonly string[] {
  const carriesMost = allTraffic === true || allIpv4 === true || outside !== undefined
  const { domains = [], allNames } = dns ?? {}
  return allNames || carriesMost || domains.includes('.') ? [] : domains
}

function Networks({
  name,
  networks,
}: {
  readonly name: string
  readonly networks: readonly string[]
}): ReactNode {
  if (networks.length === 0) return null
  return (
    <Detail name={name} wide>
      <div className={styles.inRow}>
        {networks.map((network) => (
          <bdi key={network} dir="ltr">
            {network}
          </bdi>
        ))}
      </div>
    </Detail>
  )
}

function Detail({
  name,
  wide,
  children,
}: {
  readonly name: string
  /** Takes a row of its own. */
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
