import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bridge } from '../../../contract/bridge'
import type { InstanceSlice } from '../../../contract/state'
import { ipcError } from '../../store/ipc-error'
import { useAppState, useBridge, useCommand } from '../../store/context'
import { AsOf } from '../../ui/as-of'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import { BrowserWaiting } from './browser-waiting'
import { ClientIdForm } from './client-id-form'
import styles from './instances.module.css'
import { ListingDetails } from './listing'
import { lookedThrough, type FoundProfile } from './find-profiles'
import { ProfileRows } from './profile-rows'

/** The ids of the instances that are folded, for as long as the window is open. */
const foldedInstances = new WeakMap<Bridge, Set<string>>()

function foldedOf(bridge: Bridge): Set<string> {
  const folded = foldedInstances.get(bridge) ?? new Set()
  foldedInstances.set(bridge, folded)
  return folded
}

/** One instance in the list: its login, and its profiles, which can be folded away. */
export function InstanceCard({
  instance,
  rows,
  stars,
  isSearched,
  isNew,
}: {
  readonly instance: InstanceSlice
  /** The profiles to show here. */
  readonly rows: readonly FoundProfile[]
  readonly stars: boolean
  /** The rows are those that a search found: they are shown even if the instance is folded. */
  readonly isSearched: boolean
  /** It was added just now: it is brought into view and gets the focus. */
  readonly isNew: boolean
}): ReactNode {
  const { t, i18n } = useTranslation()
  const bridge = useBridge()
  const folded = foldedOf(bridge)
  const [isUnfolded, setUnfolded] = useState(!folded.has(instance.id))
  const isOpen = isSearched || isUnfolded
  const fold = useRef<HTMLButtonElement>(null)
  const wasNew = useRef(false)
  useEffect(() => {
    if (!isNew) wasNew.current = false
    // While a search finds it, it can't be folded, and so can't take the focus. Adding it ends the search.
    if (!isNew || isSearched || wasNew.current) return
    wasNew.current = true
    fold.current?.focus({ preventScroll: true })
    fold.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [isNew, isSearched])
  const { id, login, profiles } = instance
  const logIn = useCommand('logIn')
  const refresh = useCommand('refreshProfiles')
  const instanceId = id
  const again = () => void refresh.run({ instanceId })
  useRetryWhileCached(profiles.seenAt !== undefined, again)
  const headingId = useId()
  const { connection } = useAppState()
  // The card above already says what ended the connection.
  const ended =
    connection.state === 'failed' && connection.target.instanceId === id ? connection.error : undefined
  const failures = [
    login === 'signed-out' && instance.loginError?.code === ended?.code ? undefined : instance.loginError,
    ipcError(logIn.error, instance.loginError),
    refresh.error,
  ]
  const retry = (
    <div>
      <Button variant="default" loading={refresh.pending} onClick={again}>
        {t('instance.retry')}
      </Button>
    </div>
  )

  return (
    <section className={page.card} aria-labelledby={headingId}>
      <div className={page.head}>
        <div>
          <h2 id={headingId} className={styles.name}>
            <button
              ref={fold}
              type="button"
              className={styles.fold}
              aria-expanded={isOpen}
              disabled={isSearched}
              onClick={() => {
                setUnfolded(!isUnfolded)
                if (isUnfolded) folded.add(id)
                else folded.delete(id)
              }}
            >
              {isOpen ? (
                <IconChevronDown size={16} aria-hidden />
              ) : (
                <IconChevronRight size={16} aria-hidden />
              )}
              <bdi>{instance.listing?.name ?? id}</bdi>
              {profiles.items.length > lookedThrough && (
                <span className={styles.count}>
                  {new Intl.NumberFormat(i18n.language).format(profiles.items.length)}
                </span>
              )}
            </button>
          </h2>
          {instance.listing !== undefined && (
            <p className={page.quiet}>
              <bdi dir="ltr">{id}</bdi>
            </p>
          )}
          {login === 'signed-out' && <p className={page.quiet}>{t('instance.signedOut')}</p>}
        </div>
        {login === 'signed-in' && (
          <div className={styles.atEnd}>
            {/* After a failure, Try again stands beside the reason instead. */}
            {profiles.error === undefined && (
              <ActionIcon
                variant="subtle"
                size={36}
                aria-label={t('instance.refresh')}
                title={t('instance.refresh')}
                loading={refresh.pending}
                onClick={again}
              >
                <IconRefresh size={18} aria-hidden />
              </ActionIcon>
            )}
            <CommandButton
              command="logOut"
              input={{ instanceId }}
              variant="subtle"
              className={page.textAtEnd}
            >
              {t('instance.logOut')}
            </CommandButton>
          </div>
        )}
      </div>
      {failures.map((error, index) => error && <ErrorNote key={index} error={error} />)}
      {login === 'unknown' && instance.loginError !== undefined && retry}
      {login !== 'waiting-for-browser' &&
        [instance.loginError, ended].some((error) => error?.code === 'oauth/client-refused') && (
          <ClientIdForm instanceId={instanceId} />
        )}
      <ListingDetails instance={instance} />
      {login === 'signed-out' && (
        <div className={styles.form}>
          {instance.loginError === undefined && (
            <p className={page.quiet}>
              {instance.loggedOut
                ? t('instance.loggedOut', { address: instance.address })
                : t('instance.logInHint')}
            </p>
          )}
          <Button onClick={() => void logIn.run({ instanceId })}>{t('instance.logIn')}</Button>
        </div>
      )}
      {login === 'waiting-for-browser' && <BrowserWaiting instance={instance} />}
      {profiles.seenAt !== undefined && <AsOf service={id} seenAt={profiles.seenAt} />}
      {profiles.error && (
        <>
          {profiles.seenAt === undefined && <ErrorNote error={profiles.error} />}
          {retry}
        </>
      )}
      <Unreadable count={profiles.unreadable ?? 0} />
      {isOpen && <Profiles instance={instance} rows={rows} stars={stars} />}
    </section>
  )
}

function Profiles({
  instance: { id, login, profiles },
  rows,
  stars,
}: {
  readonly instance: InstanceSlice
  readonly rows: readonly FoundProfile[]
  readonly stars: boolean
}): ReactNode {
  const { t } = useTranslation()
  if (rows.length > 0)
    return <ProfileRows label={t('instance.profilesOf', { instance: id })} rows={rows} stars={stars} />
  if (profiles.status === 'loading') return <Loading label={t('instance.loading')} />
  if (login === 'signed-in' && profiles.status === 'loaded' && profiles.items.length === 0)
    return <p>{t('instance.noProfiles')}</p>
  return null
}
