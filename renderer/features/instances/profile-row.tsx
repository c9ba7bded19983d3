import { ActionIcon } from '@mantine/core'
import { IconBuilding, IconCheck, IconStar, IconStarFilled, IconWorld } from '@tabler/icons-react'
import { memo, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { appsModes } from '../../../contract/choices'
import type { CommandInput } from '../../../contract/commands'
import type { ConnectionTarget, ProfileChoice } from '../../../contract/connection'
import type { Tone, Word } from '../../../contract/describe-connection'
import type { ProfileItem } from '../../../contract/state'
import { useCommand } from '../../store/context'
import { useStart } from '../../store/ended-access'
import { useReportRow } from '../../store/row-failure'
import { loadedLater } from '../../ui/loaded-later'
import { protocolNames } from '../../ui/protocol-names'
import styles from './instances.module.css'

const MoreMenu = loadedLater(async () => (await import('../../ui/more-menu')).MoreMenu)

interface Props {
  readonly instanceId: string
  readonly profile: ProfileItem
  /** The name of its service, where it is shown. */
  readonly service: string | undefined
  /** Undefined without a button to star it. */
  readonly starred: boolean | undefined
  readonly choice: ProfileChoice | undefined
  /** The user can choose which apps use it. */
  readonly hasApps: boolean
  /** The state of the connection, if it's this profile's. */
  readonly word: Word | undefined
  readonly tone: Tone | undefined
  readonly isMarked: boolean
  /** Another process holds the connection. */
  readonly isHeld: boolean
  /** Access to the service has ended. */
  readonly renews: boolean
}

/**
 * A profile that is connected wherever its row is clicked. Without the state of main: a change of it renders only the rows that
 * look different.
 */
export const ProfileRow = memo(function ProfileRow(props: Props): ReactNode {
  const { instanceId, profile, starred, hasApps, word, tone, isMarked, isHeld } = props
  const { profileId, displayName, defaultGateway, notSupported, hasChoice } = profile
  const start = useStart()
  const factsId = useId()
  const state = useRowText(props)
  const target = { instanceId, profileId }
  const KindIcon = defaultGateway === true ? IconWorld : IconBuilding
  return (
    <div
      className={styles.row}
      data-tone={tone}
      data-marked={isMarked || undefined}
      data-disabled={notSupported}
    >
      <KindIcon size={18} stroke={1.75} className={styles.kindIcon} aria-hidden />
      <RowText {...props} factsId={factsId} />
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
        {isUp(word) && <IconCheck size={16} aria-hidden />}
        {state}
      </button>
      {starred !== undefined && <StarButton target={target} name={displayName} starred={starred} />}
      {(hasChoice === true || hasApps) && <OptionsMenu {...props} />}
    </div>
  )
})

/** Returns what the row's button does, or the state of the connection that is this profile's. */
function useRowText({ word, isHeld, renews }: Props): string {
  const { t } = useTranslation()
  if (word !== undefined) {
    if (isUp(word)) return t('instance.profileActive')
    return t(`connection.word.${word === 'browser' ? 'connecting' : word}`)
  }
  if (renews) return t(`connection.expiry.${isHeld ? 'renewHere' : 'renew'}`)
  return t(isHeld ? 'connection.takeOver' : 'connection.connect')
}

function isUp(word: Word | undefined): boolean {
  return word === 'connected' || word === 'nothing'
}

/** The name of the profile, with its service, what it reaches and what is chosen for it. */
function RowText({
  profile: { displayName, notSupported, needsWireGuard, defaultGateway },
  service,
  choice,
  hasApps,
  factsId,
}: Props & { readonly factsId: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <span className={styles.rowText}>
      <bdi className={styles.rowName}>{displayName}</bdi>
      <span id={factsId} className={styles.rowFacts}>
        {service !== undefined && <bdi>{service}</bdi>}
        {notSupported === true ? (
          <span>{t(needsWireGuard ? 'instance.profileNeedsWireGuard' : 'instance.profileNotSupported')}</span>
        ) : (
          defaultGateway !== undefined && (
            <span className={styles.reach}>
              {t(defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
            </span>
          )
        )}
        {choice !== undefined && choiceKey(choice) !== 'auto' && (
          <span>{choiceText(choice, t('instance.protocolTcp'))}</span>
        )}
        {hasApps && choice?.appsMode !== undefined && (
          <span>{t(`settings.appsMode.${choice.appsMode}`)}</span>
        )}
      </span>
    </span>
  )
}

function StarButton({
  target,
  name,
  starred,
}: {
  readonly target: ConnectionTarget
  readonly name: string
  readonly starred: boolean
}): ReactNode {
  const { t } = useTranslation()
  const star = useRowCommand('starProfile')
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      className={styles.overRow}
      aria-pressed={starred}
      aria-label={t('instance.star', { profile: name })}
      title={t('instance.star', { profile: name })}
      onClick={() => void star({ ...target, starred: !starred })}
    >
      {starred ? (
        <IconStarFilled size={16} className={styles.starred} aria-hidden />
      ) : (
        <IconStar size={16} aria-hidden />
      )}
    </ActionIcon>
  )
}

const protocolOptions = (['auto', 'wireguard', 'openvpn'] as const).flatMap((protocol) =>
  [false, true].map((tcpOnly) => ({ protocol, tcpOnly })),
)

/** Chooses the protocol of a profile that has several, and the apps that use it. */
function OptionsMenu({ instanceId, profile, choice, hasApps }: Props): ReactNode {
  const { t } = useTranslation()
  const { profileId, displayName, hasChoice } = profile
  const target = { instanceId, profileId }
  const choose = useRowCommand('chooseProtocol')
  const chooseApps = useRowCommand('chooseAppsMode')
  const protocols = (hasChoice === true ? protocolOptions : []).map((option) => {
    const key = choiceKey(option)
    return {
      key,
      label: choiceText(option, t('instance.protocolTcp'), t('instance.protocolAuto')),
      chosen: (choice === undefined ? 'auto' : choiceKey(choice)) === key,
      onChoose: () => void choose({ ...target, ...option }),
    }
  })
  const modes = (hasApps ? [undefined, ...appsModes] : []).map((mode) => ({
    key: `apps ${mode}`,
    label: mode === undefined ? t('instance.appsAsSet') : t(`settings.appsMode.${mode}`),
    chosen: choice?.appsMode === mode,
    ...(mode === undefined && protocols.length > 0 && { startsGroup: true as const }),
    onChoose: () => void chooseApps({ ...target, mode }),
  }))
  return (
    <span className={styles.overRow}>
      <MoreMenu
        label={t('instance.optionsOf', { profile: displayName })}
        entries={[...protocols, ...modes]}
      />
    </span>
  )
}

/** Returns a function that runs a command, whose failure the stage shows. */
function useRowCommand<Name extends 'starProfile' | 'chooseProtocol' | 'chooseAppsMode'>(
  name: Name,
): (input: CommandInput<Name>) => Promise<void> {
  const command = useCommand(name)
  const report = useReportRow()
  return async (input) => {
    report(undefined)
    const result = await command.run(input)
    if (!result.ok) report({ error: result.error, instanceId: input.instanceId })
  }
}

type Option = Pick<ProfileChoice, 'protocol' | 'tcpOnly'>

function choiceKey({ protocol, tcpOnly }: Option): string {
  return `${protocol}${tcpOnly ? ' tcp' : ''}`
}

/** Such as `WireGuard · TCP only`. */
function choiceText({ protocol, tcpOnly }: Option, tcp: string, auto?: string): string {
  const name = protocol === 'auto' ? auto : protocolNames[protocol]
  return [name, tcpOnly ? tcp : undefined].filter((part) => part !== undefined).join(' · ')
}
