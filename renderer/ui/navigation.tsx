import {
  IconBuildingCommunity,
  IconDots,
  IconMessage,
  IconNews,
  IconPaperclip,
  IconPlugConnected,
  IconSettings,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { browserWait } from '../../contract/browser-wait'
import { isUnderWay } from '../../contract/connection-summary'
import { type MainView, shownViews, type View } from '../../contract/views'
import { Duration } from '../features/connection/duration-since'
import { progressOf } from '../features/connection/lane-shapes'
import { SmallLanes } from '../features/connection/lanes'
import { useAppState } from '../store/context'
import { useServiceName } from '../store/profile-name'
import { useDescription } from '../store/use-description'
import styles from './navigation.module.css'
import { loadedLater } from './loaded-later'
import { Notices } from './notices'
import { unreadCount } from '../features/messages/use-read-messages'

const UpdateNotice = loadedLater(async () => (await import('../features/updates/update-notice')).UpdateNotice)

const icons: Readonly<Record<MainView, Icon>> = {
  connection: IconPlugConnected,
  messages: IconMessage,
  attachments: IconPaperclip,
  news: IconNews,
  organization: IconBuildingCommunity,
  settings: IconSettings,
}

/** The links at the bottom of a narrow window, besides More. */
const atBottom = 4

/** Links to the views: at the side in a wide window, at the bottom in a narrow one. */
export function Navigation({ current }: { readonly current: View }): ReactNode {
  const { t } = useTranslation()
  const { instances, killSwitch, update } = useAppState()
  const { available } = update
  const unreadId = useId()
  const unread = unreadCount(instances)
  const shown = shownViews(instances)
  const [isOpen, setOpen] = useState(false)
  // All of them would be too narrow for their words.
  const behindMore = shown.length > atBottom + 1 ? shown.slice(atBottom) : []
  return (
    <nav
      aria-label={t('navigation.label')}
      className={styles.navigation}
      data-more={isOpen || undefined}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a') !== null) setOpen(false)
      }}
    >
      {shown.map((view) => {
        const ViewIcon = icons[view]
        return (
          <a
            key={view}
            href={`#${view}`}
            className={styles.link}
            data-behind-more={behindMore.includes(view) || undefined}
            aria-current={currentOf(view, current)}
            aria-describedby={view === 'messages' && unread > 0 ? unreadId : undefined}
          >
            <ViewIcon size={20} stroke={1.75} aria-hidden />
            <span>{t(`navigation.${view}`)}</span>
            {view === 'messages' && unread > 0 && <UnreadBadge id={unreadId} count={unread} />}
          </a>
        )
      })}
      {behindMore.length > 0 && (
        <button
          type="button"
          className={`${styles.link} ${styles.more}`}
          aria-expanded={isOpen}
          data-current={behindMore.some((view) => currentOf(view, current) !== undefined) || undefined}
          onClick={() => {
            setOpen(!isOpen)
          }}
        >
          <IconDots size={20} stroke={1.75} aria-hidden />
          <span>{t('navigation.more')}</span>
        </button>
      )}
      <div className={styles.foot}>
        <Notices />
        {available && <UpdateNotice available={available} />}
        {current !== 'connection' && (instances.length > 0 || killSwitch.blocks) && <StatusStrip />}
      </div>
    </nav>
  )
}

/** How long, in milliseconds, a screen reader is busy with a view that was opened. */
const arrivalMs = 1000

/** Shows the state of the connection in every other view, and leads back to it. */
function StatusStrip(): ReactNode {
  const { t } = useTranslation()
  const { connection, instances, wording } = useAppState()
  const { glance, tone, lanes, values } = useDescription()
  const waiting = useServiceName(browserWait(instances)?.instanceId)
  const subject = waiting || (isUnderWay(connection) ? values.profile : '')
  // Only changes are news: not what was so when the view was opened.
  const [atFirst] = useState(`${tone} ${glance}`)
  const [hasArrived, setArrived] = useState(false)
  const isLive = hasArrived || atFirst !== `${tone} ${glance}`
  useEffect(() => {
    const timer = setTimeout(() => {
      setArrived(true)
    }, arrivalMs)
    return () => {
      clearTimeout(timer)
    }
  }, [])
  return (
    // Around the link: the words of a status inside it would be left out of its name.
    <div role="status" aria-live={isLive ? 'polite' : 'off'}>
      <a href="#connection" className={styles.strip} data-tone={tone}>
        <SmallLanes
          lanes={lanes}
          tone={tone}
          progress={progressOf(connection)}
          direction={wording.direction}
        />
        <span className={styles.stripText}>
          <span>{t(glance)}</span>{' '}
          {subject !== '' && (
            <span className={styles.stripFacts}>
              <bdi>{subject}</bdi>{' '}
              {connection.state === 'connected' && waiting === '' && <Duration since={connection.since} />}
            </span>
          )}
        </span>
      </a>
    </div>
  )
}

/** Number of unread messages; `id` is the id of its text. */
function UnreadBadge({ id, count }: { readonly id: string; readonly count: number }): ReactNode {
  const { t, i18n } = useTranslation()
  return (
    <>
      <span
        aria-hidden
        className={styles.badge}
        data-count={new Intl.NumberFormat(i18n.language).format(count)}
      />
      <span id={id} hidden>
        {t('messages.unreadCount', { count })}
      </span>
    </>
  )
}

/** The doctor belongs to the settings. */
function currentOf(view: MainView, current: View): 'page' | 'true' | undefined {
  if (view === current) return 'page'
  return view === 'settings' && current === 'doctor' ? 'true' : undefined
}
