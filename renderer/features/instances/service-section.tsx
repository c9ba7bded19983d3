import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { browserWait } from '../../../contract/browser-wait'
import { isNotYetConnected } from '../../../contract/connection-summary'
import type { ErrorReport } from '../../../contract/error-codes'
import type { InstanceSlice } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { useAppState, useCommand } from '../../store/context'
import { ipcError } from '../../store/ipc-error'
import { useEndedAccess } from '../../store/ended-access'
import { useTarget } from '../../store/target'
import { AsOf } from '../../ui/as-of'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { loadedLater } from '../../ui/loaded-later'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import { useRetryWhileCached } from '../../ui/use-retry-while-cached'
import { ClientIdForm } from './client-id-form'
import styles from './instances.module.css'
import type { FoundProfile } from './find-profiles'
import { LocationSelect } from './listing'
import { ProfileRows } from './profile-rows'

const ServiceMenu = loadedLater(async () => (await import('./service-menu')).ServiceMenu)

/** One service in the list: its heading with state and menu, and its profiles, which can be folded away. */
export function ServiceSection({
  instance,
  rows,
  stars,
  marked,
  isOpen,
  isNew,
}: {
  readonly instance: InstanceSlice
  /** The profiles to show here. */
  readonly rows: readonly FoundProfile[]
  readonly stars: boolean
  readonly marked: string | undefined
  readonly isOpen: boolean
  /** It was added just now: it is brought into view, and its next step gets the focus. */
  readonly isNew: boolean
}): ReactNode {
  const { connection } = useAppState()
  const section = useFocusOfNew(isNew)
  const { id, login, profiles } = instance
  const logIn = useCommand('logIn')
  const renew = useCommand('renewSession')
  const fold = useCommand('foldService')
  const refresh = useCommand('refreshProfiles')
  const again = () => void refresh.run({ instanceId: id })
  useRetryWhileCached(profiles.cachedAt !== undefined, again)
  const isHere = 'target' in connection && connection.target.instanceId === id
  // The stage says what ends a connection, or will when the attempt is over, and has its next step.
  const ended = connection.state === 'failed' && isHere ? connection.error : undefined
  const isTried = isHere && isNotYetConnected(connection)
  const failures = [
    login === 'signed-out' && (isTried || instance.loginError?.code === ended?.code)
      ? undefined
      : instance.loginError,
    ipcError(logIn.error, instance.loginError),
    // The state has the error of its sign-in, but no other one.
    login !== 'signed-out' || ['oauth/cancelled', instance.loginError?.code].includes(renew.error?.code)
      ? undefined
      : renew.error,
    refresh.error,
    fold.error,
  ]
  return (
    <section ref={section} className={styles.service} aria-label={serviceName(instance)}>
      <ServiceHeading
        instance={instance}
        isOpen={isOpen}
        onFold={() => void fold.run({ instanceId: id, folded: isOpen })}
        onSignIn={() => void logIn.run({ instanceId: id })}
        onRenew={() => void renew.run({ instanceId: id })}
        onRefresh={again}
      />
      {failures.map((error, index) => error && <ErrorNote key={index} error={error} />)}
      <ServiceNotices
        instance={instance}
        ended={ended}
        withHint={isOpen || isNew}
        isRefreshing={refresh.pending}
        onRefresh={again}
      />
      {isOpen && <Profiles instance={instance} rows={rows} stars={stars} marked={marked} />}
    </section>
  )
}

/** Returns the reference of a section that comes into view, with the focus on its next step, when its service was added. */
function useFocusOfNew(isNew: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const wasNew = useRef(false)
  useEffect(() => {
    if (!isNew) wasNew.current = false
    if (!isNew || wasNew.current) return
    wasNew.current = true
    const next =
      section.current?.querySelector<HTMLElement>('[data-next]') ?? section.current?.querySelector('button')
    next?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  return section
}

/** The name of a service, which folds its profiles away; its state, its next step and its menu. */
function ServiceHeading({
  instance,
  isOpen,
  onFold,
  onSignIn,
  onRenew,
  onRefresh,
}: {
  readonly instance: InstanceSlice
  readonly isOpen: boolean
  readonly onFold: () => void
  readonly onSignIn: () => void
  readonly onRenew: () => void
  readonly onRefresh: () => void
}): ReactNode {
  const { t, i18n } = useTranslation()
  const { instances } = useAppState()
  const { target } = useTarget()
  const { id, login, profiles } = instance
  const isOver = useEndedAccess()(id)
  const isNamed = (target?.instanceId ?? (instances.length === 1 ? id : undefined)) === id
  // The stage has the sign-in that began last; the others are ended in the menu.
  const waitsBehind = login === 'waiting-for-browser' && browserWait(instances)?.instanceId !== id
  const count =
    profiles.items.length > 0 ? new Intl.NumberFormat(i18n.language).format(profiles.items.length) : undefined
  const state =
    login === 'signed-out' ? t('instance.signedOut') : waitsBehind ? t('connection.word.browser') : undefined
  return (
    <div className={styles.heading}>
      <h2 className={styles.name}>
        <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onFold}>
          {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          <bdi>{serviceName(instance)}</bdi>{' '}
          <span className={styles.count}>
            {[count, state].filter((part) => part !== undefined).join(' · ')}
          </span>
        </button>
      </h2>
      {/* The stage renews the access to the service that it names. */}
      {login === 'signed-out' && !(isOver && isNamed) && (
        <Button
          data-next
          // Where a person goes on, as long as the stage has no button.
          data-arrival={target === undefined || undefined}
          className={styles.headingButton}
          // The one filled button, where the stage has none.
          variant={target === undefined ? 'filled' : 'default'}
          onClick={isOver ? onRenew : onSignIn}
        >
          {t(isOver ? 'connection.expiry.renew' : 'instance.logIn')}
        </Button>
      )}
      <ServiceMenu instance={instance} waitsBehind={waitsBehind} refresh={onRefresh} />
    </div>
  )
}

/** What a person has to know about a service and its list, with what helps. */
function ServiceNotices({
  instance,
  ended,
  withHint,
  isRefreshing,
  onRefresh,
}: {
  readonly instance: InstanceSlice
  /** Why the connection to this service has ended. */
  readonly ended: ErrorReport | undefined
  readonly withHint: boolean
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { id, login, loginError, profiles, listing } = instance
  const isOver = useEndedAccess()(id)
  const isWaiting = login === 'waiting-for-browser'
  // It stays during the sign-in, so that nothing moves.
  const hasHint = login === 'signed-out' || (isWaiting && profiles.status === 'unknown')
  return (
    <>
      {listing?.location?.gone === true && <LocationSelect instanceId={id} location={listing.location} />}
      {listing?.delisted && (
        <p className={page.quiet}>{t('directory.delisted', { name: serviceName(instance) })}</p>
      )}
      {!isWaiting && [loginError, ended].some((error) => error?.code === 'oauth/client-refused') && (
        <ClientIdForm instanceId={id} />
      )}
      {hasHint && loginError === undefined && !isOver && withHint && (
        <p className={styles.hint}>
          {instance.loggedOut
            ? t('instance.loggedOut', { address: instance.address })
            : t('instance.logInHint')}
        </p>
      )}
      {profiles.cachedAt !== undefined && <AsOf service={id} cachedAt={profiles.cachedAt} />}
      {profiles.error && profiles.cachedAt === undefined && <ErrorNote error={profiles.error} />}
      {(profiles.error ?? (login === 'unknown' ? loginError : undefined)) && (
        <div>
          <Button variant="default" loading={isRefreshing} onClick={onRefresh}>
            {t('instance.retry')}
          </Button>
        </div>
      )}
      <Unreadable count={profiles.unreadable ?? 0} />
    </>
  )
}

function Profiles({
  instance,
  rows,
  stars,
  marked,
}: {
  readonly instance: InstanceSlice
  readonly rows: readonly FoundProfile[]
  readonly stars: boolean
  readonly marked: string | undefined
}): ReactNode {
  const { id, login, profiles } = instance
  const { t } = useTranslation()
  if (rows.length > 0)
    return (
      <ProfileRows
        label={t('instance.profilesOf', { instance: serviceName(instance) })}
        rows={rows}
        stars={stars}
        group={id}
        marked={marked}
      />
    )
  if (profiles.status === 'loading') return <Loading label={t('instance.loading')} />
  if (login === 'signed-in' && profiles.status === 'loaded' && profiles.items.length === 0)
    return <p className={styles.hint}>{t('instance.noProfiles')}</p>
  return null
}
