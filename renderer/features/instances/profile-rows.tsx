import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconCheck, IconStar, IconStarFilled } from '@tabler/icons-react'
import { memo, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Word } from '../../../contract/describe-connection'
import type { ProfileChoice } from '../../../contract/connection'
import type { ErrorReport } from '../../../contract/error-codes'
import type { ProfileItem } from '../../../contract/state'
import { ipcError } from '../../store/ipc-error'
import { useAppState, useCommand } from '../../store/context'
import { useDescription } from '../../store/use-description'
import { protocolNames } from '../../ui/protocol-names'
import { ErrorNote } from '../../ui/error-note'
import { loadedLater } from '../../ui/loaded-later'
import { isActive, isSame, type FoundProfile } from './find-profiles'
import styles from './instances.module.css'

/** Estimated, in CSS pixels. */
const rowHeight = 45
/** Longer lists are virtual. The start loads no code for that. */
const maxPlain = 40

const LongList = loadedLater(async () => (await import('../../ui/virtual-list')).VirtualListInPage)

const protocols = ['auto', 'wireguard', 'openvpn'] as const

function choiceValue(choice: ProfileChoice | undefined): string {
  return choice === undefined ? 'auto' : `${choice.protocol}${choice.tcpOnly ? ' tcp' : ''}`
}

/** A list of profiles, each with its button to connect. */
export function ProfileRows({
  label,
  rows,
  withService = false,
  stars,
}: {
  readonly label: string
  readonly rows: readonly FoundProfile[]
  /** With the name of its service beside each. */
  readonly withService?: boolean
  /** With a button to star each. */
  readonly stars: boolean
}): ReactNode {
  const { connection, heldBy, shortcuts } = useAppState()
  const { word } = useDescription()

  const keyOf = (index: number): string => `${rows[index]?.instanceId} ${rows[index]?.profileId}`
  const row = (index: number): ReactNode => {
    const each = rows[index]
    if (each === undefined) return null
    return (
      <ProfileRow
        instanceId={each.instanceId}
        profile={each.profile}
        service={withService ? each.service : undefined}
        starred={stars ? shortcuts.starred.some((star) => isSame(star, each)) : undefined}
        choice={shortcuts.choices?.find((choice) => isSame(choice, each))}
        use={isActive(each, { connection, heldBy }) ? word : undefined}
        isHeld={heldBy !== undefined}
        connectionError={connection.state === 'failed' ? connection.error : undefined}
      />
    )
  }

  if (rows.length > maxPlain) {
    return <LongList label={label} count={rows.length} rowHeight={rowHeight} rowKey={keyOf} row={row} />
  }
  return (
    <ul aria-label={label}>
      {rows.map((_, index) => (
        <li key={keyOf(index)}>{row(index)}</li>
      ))}
    </ul>
  )
}

/** Without the state of main: a change of it renders only the rows that look different. */
const ProfileRow = memo(function ProfileRow({
  instanceId,
  profile,
  service,
  starred,
  choice,
  use,
  isHeld,
  connectionError,
}: {
  readonly instanceId: string
  readonly profile: ProfileItem
  /** The name of its service, where it is shown. */
  readonly service: string | undefined
  /** Undefined without a button to star it. */
  readonly starred: boolean | undefined
  readonly choice: ProfileChoice | undefined
  /** The state of the connection, if it's this profile's. */
  readonly use: Word | undefined
  /** Another process holds the connection. */
  readonly isHeld: boolean
  /** The error of the connection, which the header shows. */
  readonly connectionError: ErrorReport | undefined
}): ReactNode {
  const { t } = useTranslation()
  const connect = useCommand('connect')
  const star = useCommand('starProfile')
  const choose = useCommand('chooseProtocol')
  const factsId = useId()
  const { profileId, displayName, defaultGateway, notSupported, hasChoice } = profile
  const target = { instanceId, profileId }
  const failure = ipcError(connect.error, connectionError)
  const verb = t(isHeld ? 'connection.takeOver' : 'connection.connect')

  return (
    <>
      <div className={styles.row}>
        {starred !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-pressed={starred}
            aria-label={t('instance.star', { profile: displayName })}
            onClick={() => void star.run({ ...target, starred: !starred })}
          >
            {starred ? (
              <IconStarFilled size={16} className={styles.starred} aria-hidden />
            ) : (
              <IconStar size={16} aria-hidden />
            )}
          </ActionIcon>
        )}
        <div className={styles.rowText}>
          <bdi className={styles.rowName}>{displayName}</bdi>
          <span id={factsId} className={styles.rowFacts}>
            {service !== undefined && <bdi>{service}</bdi>}
            {notSupported === true && <span>{t('instance.profileNotSupported')}</span>}
            {defaultGateway !== undefined && notSupported !== true && (
              <span className={styles.reach}>
                {t(defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
              </span>
            )}
          </span>
        </div>
        {hasChoice === true && (
          <NativeSelect
            size="xs"
            aria-label={t('instance.protocolOf', { profile: displayName })}
            value={choiceValue(choice)}
            data={protocols.flatMap((protocol) => {
              const label = protocol === 'auto' ? t('instance.protocolAuto') : protocolNames[protocol]
              return [
                { value: protocol, label },
                { value: `${protocol} tcp`, label: `${label} · ${t('instance.protocolTcp')}` },
              ]
            })}
            onChange={(event) => {
              const [word, tcp] = event.currentTarget.value.split(' ')
              const protocol = protocols.find((each) => each === word) ?? 'auto'
              void choose.run({ ...target, protocol, tcpOnly: tcp === 'tcp' })
            }}
          />
        )}
        {use === 'connected' ? (
          <span className={styles.active}>
            <IconCheck size={16} aria-hidden />
            {t('instance.profileActive')}
          </span>
        ) : use !== undefined ? (
          <span className={styles.rowState}>{t(`connection.word.${use}`)}</span>
        ) : (
          <Button
            flex="none"
            variant="default"
            className={styles.rowButton}
            aria-label={`${verb}: ${displayName}`}
            aria-describedby={factsId}
            disabled={notSupported === true}
            onClick={() => void connect.run({ ...target, ...(isHeld ? { takeOver: true } : {}) })}
          >
            {verb}
          </Button>
        )}
      </div>
      {failure && <ErrorNote error={failure} />}
      {star.error && <ErrorNote error={star.error} />}
      {choose.error && <ErrorNote error={choose.error} />}
    </>
  )
})
