import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { browserWait } from '../../../contract/browser-wait'
import { isNotYetConnected } from '../../../contract/connection-summary'
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
  const { t, i18n } = useTranslation()
  const { connection, instances } = useAppState()
  const { target } = useTarget()
  const section = useRef<HTMLElement>(null)
  const wasNew = useRef(false)
  const { id, login, profiles, listing } = instance
  useEffect(() => {
    if (!isNew) wasNew.current = false
    if (!isNew || wasNew.current) return
    wasNew.current = true
    const next =
      section.current?.querySelector<HTMLElement>('[data-next]') ?? section.current?.querySelector('button')
    next?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  const logIn = useCommand('logIn')
  const renew = useCommand('renewSession')
  const fold = useCommand('foldService')
  const refresh = useCommand('refreshProfiles')
  const again = () => void refresh.run({ instanceId: id })
  useRetryWhileCached(profiles.seenAt !== undefined, again)
  const name = serviceName(instance)
  const isHere = 'target' in connection && connection.target.instanceId === id
  // The stage says what ends a connection, or will when the attempt is over, and has its next step.
  const ended = connection.state === 'failed' && isHere ? connection.error : undefined
  const isTried = isHere && isNotYetConnected(connection)
  const isOver = useEndedAccess()(id)
  const isNamed = (target?.instanceId ?? (instances.length === 1 ? id : undefined)) === id
  const failures = [
    login === 'signed-out' && (isTried || instance.loginError?.code === ended?.code)
      ? undefined
      : instance.loginError,
    ipcError(logIn.error ?? renew.error, instance.loginError),
    refresh.error,
    fold.error,
  ]
  const isWaiting = login === 'waiting-for-browser'
  // The stage has the sign-in that began last; the others are ended in the menu.
  const waitsBehind = isWaiting && browserWait(instances)?.instanceId !== id
  const state =
    login === 'signed-out' ? t('instance.signedOut') : waitsBehind ? t('connection.word.browser') : undefined
  // It stays during the sign-in, so that nothing moves.
  const hasHint = login === 'signed-out' || (isWaiting && profiles.status === 'unknown')

  return (
    <section ref={section} className={styles.service} aria-label={name}>
      <div className={styles.heading}>
        <h2 className={styles.name}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            onClick={() => void fold.run({ instanceId: id, folded: isOpen })}
          >
            {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
            <bdi>{name}</bdi>{' '}
            <span className={styles.count}>
              {[
                profiles.items.length > 0
                  ? new Intl.NumberFormat(i18n.language).format(profiles.items.length)
                  : undefined,
                state,
              ]
                .filter((part) => part !== undefined)
                .join(' · ')}
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
            onClick={() => void (isOver ? renew : logIn).run({ instanceId: id })}
          >
            {t(isOver ? 'connection.expiry.renew' : 'instance.logIn')}
          </Button>
        )}
        <ServiceMenu instance={instance} waitsBehind={waitsBehind} refresh={again} />
      </div>
      {failures.map((error, index) => error && <ErrorNote key={index} error={error} />)}
      {listing?.location?.gone === true && <LocationSelect instanceId={id} location={listing.location} />}
      {listing?.delisted && <p className={page.quiet}>{t('directory.delisted', { name })}</p>}
      {!isWaiting && [instance.loginError, ended].some((error) => error?.code === 'oauth/client-refused') && (
        <ClientIdForm instanceId={id} />
      )}
      {hasHint && instance.loginError === undefined && !isOver && (isOpen || isNew) && (
        <p className={styles.hint}>
          {instance.loggedOut
            ? t('instance.loggedOut', { address: instance.address })
            : t('instance.logInHint')}
        </p>
      )}
      {profiles.seenAt !== undefined && <AsOf service={id} seenAt={profiles.seenAt} />}
      {profiles.error && profiles.seenAt === undefined && <ErrorNote error={profiles.error} />}
      {(profiles.error ?? (login === 'unknown' ? instance.loginError : undefined)) && (
        <div>
          <Button variant="default" loading={refresh.pending} onClick={again}>
            {t('instance.retry')}
          </Button>
        </div>
      )}
      <Unreadable count={profiles.unreadable ?? 0} />
      {isOpen && <Profiles instance={instance} rows={rows} stars={stars} marked={marked} />}
    </section>
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
