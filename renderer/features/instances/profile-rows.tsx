import { ActionIcon } from '@mantine/core'
import { IconBuilding, IconCheck, IconStar, IconStarFilled, IconWorld } from '@tabler/icons-react'
import { memo, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProfileChoice } from '../../../contract/connection'
import type { Tone, Word } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import type { ProfileItem } from '../../../contract/state'
import { useEndedAccess, useStart } from '../../store/ended-access'
import { useAppState, useCommand } from '../../store/context'
import { useReportRow } from '../../store/row-failure'
import { useDescriptionWith } from '../../store/use-description'
import { protocolNames } from '../../ui/protocol-names'
import { loadedLater } from '../../ui/loaded-later'
import { isActive, isSame, type FoundProfile } from './find-profiles'
import styles from './instances.module.css'

/** Estimated, in CSS pixels. */
const rowHeight = 44
/** Longer lists are virtual. The start loads no code for that. */
const maxPlain = 40

const MoreMenu = loadedLater(async () => (await import('../../ui/more-menu')).MoreMenu)
const LongList = loadedLater(async () => (await import('../../ui/virtual-list')).VirtualListInPage)

const protocols = ['auto', 'wireguard', 'openvpn'] as const

function choiceValue(choice: ProfileChoice | undefined): string {
  return choice === undefined ? 'auto' : `${choice.protocol}${choice.tcpOnly ? ' tcp' : ''}`
}

/** Names a row among all rows of the view. */
export function rowKey(group: string, { instanceId, profileId }: FoundProfile): string {
  return `${group} ${instanceId} ${profileId}`
}

/** A list of profiles. Each row connects, wherever it is clicked. */
export function ProfileRows({
  label,
  rows,
  withService = false,
  stars,
  group,
  marked,
}: {
  readonly label: string
  readonly rows: readonly FoundProfile[]
  /** With the name of its service beside each. */
  readonly withService?: boolean
  /** With a button to star each. */
  readonly stars: boolean
  /** Names the list among others with the same profiles. */
  readonly group: string
  /** The key (`rowKey`) of the row that Enter in the search field connects. */
  readonly marked?: string | undefined
}): ReactNode {
  const { connection, heldBy, shortcuts } = useAppState()
  // The stage tells of a sign-in.
  const { word, tone } = useDescriptionWith(undefined)
  const isOver = useEndedAccess()

  const keyOf = (index: number): string => `${rows[index]?.instanceId} ${rows[index]?.profileId}`
  const row = (index: number): ReactNode => {
    const each = rows[index]
    if (each === undefined) return null
    const isInUse = isActive(each, { connection, heldBy })
    return (
      <ProfileRow
        instanceId={each.instanceId}
        profile={each.profile}
        service={withService ? each.service : undefined}
        starred={stars ? shortcuts.starred.some((star) => isSame(star, each)) : undefined}
        choice={shortcuts.choices?.find((choice) => isSame(choice, each))}
        word={isInUse ? word : undefined}
        tone={isInUse ? tone : undefined}
        isMarked={marked === rowKey(group, each)}
        isHeld={heldBy !== undefined}
        renews={isOver(each.instanceId)}
      />
    )
  }

  if (rows.length > maxPlain) {
    return (
      <LongList
        label={label}
        count={rows.length}
        rowHeight={rowHeight}
        rowKey={keyOf}
        row={row}
        shown={rows.findIndex((each) => rowKey(group, each) === marked)}
      />
    )
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
  word,
  tone,
  isMarked,
  isHeld,
  renews,
}: {
  readonly instanceId: string
  readonly profile: ProfileItem
  /** The name of its service, where it is shown. */
  readonly service: string | undefined
  /** Undefined without a button to star it. */
  readonly starred: boolean | undefined
  readonly choice: ProfileChoice | undefined
  /** The state of the connection, if it's this profile's. */
  readonly word: Word | undefined
  readonly tone: Tone | undefined
  readonly isMarked: boolean
  /** Another process holds the connection. */
  readonly isHeld: boolean
  /** Access to the service has ended. */
  readonly renews: boolean
}): ReactNode {
  const { t } = useTranslation()
  const start = useStart()
  const star = useCommand('starProfile')
  const choose = useCommand('chooseProtocol')
  const factsId = useId()
  const { profileId, displayName, defaultGateway, notSupported, hasChoice } = profile
  const target = { instanceId, profileId }
  const report = useReportRow()

  async function run(work: Promise<{ readonly ok: boolean; readonly error?: ErrorReport }>): Promise<void> {
    report(undefined)
    const { ok, error } = await work
    if (!ok) report(error)
  }

  const verb = t(
    renews
      ? `connection.expiry.${isHeld ? 'renewHere' : 'renew'}`
      : isHeld
        ? 'connection.takeOver'
        : 'connection.connect',
  )
  const isUp = word === 'connected' || word === 'nothing'
  const shown = word === 'browser' ? 'connecting' : word
  const state = shown === undefined ? verb : t(isUp ? 'instance.profileActive' : `connection.word.${shown}`)
  const KindIcon = defaultGateway === true ? IconWorld : IconBuilding

  return (
    <>
      <div
        className={styles.row}
        data-tone={tone}
        data-marked={isMarked || undefined}
        data-disabled={notSupported}
      >
        <KindIcon size={18} stroke={1.75} className={styles.kindIcon} aria-hidden />
        <span className={styles.rowText}>
          <bdi className={styles.rowName}>{displayName}</bdi>
          <span id={factsId} className={styles.rowFacts}>
            {service !== undefined && <bdi>{service}</bdi>}
            {notSupported === true ? (
              <span>{t('instance.profileNotSupported')}</span>
            ) : (
              defaultGateway !== undefined && (
                <span className={styles.reach}>
                  {t(defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
                </span>
              )
            )}
            {choice !== undefined && <span>{choiceText(choice, t('instance.protocolTcp'))}</span>}
          </span>
        </span>
        {/* Its area is the whole row (CSS). It stays while the profile is in use, and keeps the focus. */}
        <button
          type="button"
          data-row-control
          className={styles.rowButton}
          aria-label={`${state}: ${displayName}`}
          aria-describedby={factsId}
          aria-current={word === undefined ? undefined : true}
          aria-disabled={word !== undefined || undefined}
          disabled={notSupported === true}
          onClick={({ detail }) => {
            // The second click of a double click.
            if (word !== undefined || detail > 1) return
            void start(target, { isHeld })
          }}
        >
          {isUp && <IconCheck size={16} aria-hidden />}
          {state}
        </button>
        {starred !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            className={styles.overRow}
            aria-pressed={starred}
            aria-label={t('instance.star', { profile: displayName })}
            title={t('instance.star', { profile: displayName })}
            onClick={() => void run(star.run({ ...target, starred: !starred }))}
          >
            {starred ? (
              <IconStarFilled size={16} className={styles.starred} aria-hidden />
            ) : (
              <IconStar size={16} aria-hidden />
            )}
          </ActionIcon>
        )}
        {hasChoice === true && (
          <span className={styles.overRow}>
            <MoreMenu
              label={t('instance.optionsOf', { profile: displayName })}
              entries={protocols.flatMap((protocol) =>
                [false, true].map((tcpOnly) => {
                  const option = { protocol, tcpOnly }
                  return {
                    key: choiceValue({ ...target, ...option }),
                    label: choiceText(option, t('instance.protocolTcp'), t('instance.protocolAuto')),
                    chosen: choiceValue(choice) === choiceValue({ ...target, ...option }),
                    onChoose: () => void run(choose.run({ ...target, ...option })),
                  }
                }),
              )}
            />
          </span>
        )}
      </div>
    </>
  )
})

/** Such as `WireGuard · TCP only`. */
function choiceText(
  { protocol, tcpOnly }: Pick<ProfileChoice, 'protocol' | 'tcpOnly'>,
  tcp: string,
  auto?: string,
): string {
  const name = protocol === 'auto' ? auto : protocolNames[protocol]
  return [name, tcpOnly ? tcp : undefined].filter((part) => part !== undefined).join(' · ')
}
