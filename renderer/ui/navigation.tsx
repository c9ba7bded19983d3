import {
  IconBuildingCommunity,
  IconMessage,
  IconNews,
  IconPaperclip,
  IconPlugConnected,
  IconSettings,
  type Icon,
} from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type MainView, shownViews, type View } from '../../contract/views'
import { useAppState } from '../store/context'
import styles from './navigation.module.css'
import { unreadCount } from '../features/messages/unread-count'

const icons: Readonly<Record<MainView, Icon>> = {
  connection: IconPlugConnected,
  messages: IconMessage,
  attachments: IconPaperclip,
  news: IconNews,
  organization: IconBuildingCommunity,
  settings: IconSettings,
}

/** The way to each view that there is: at the left in a wide window, at the bottom in a narrow one. */
export function Navigation({ current }: { readonly current: View }): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const unreadId = useId()
  const unread = unreadCount(instances)
  return (
    <nav aria-label={t('navigation.label')} className={styles.navigation}>
      {shownViews(instances).map((view) => {
        const ViewIcon = icons[view]
        return (
          <a
            key={view}
            href={`#${view}`}
            className={styles.link}
            aria-current={currentOf(view, current)}
            {...(view === 'messages' && unread > 0 && { 'aria-describedby': unreadId })}
          >
            <ViewIcon size={20} stroke={1.75} aria-hidden />
            <span>{t(`navigation.${view}`)}</span>
            {view === 'messages' && unread > 0 && <UnreadBadge id={unreadId} count={unread} />}
          </a>
        )
      })}
    </nav>
  )
}

/** How many messages wait to be read; `id` is of its words. */
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

/** The doctor is reached from the settings. */
function currentOf(view: MainView, current: View): 'page' | 'true' | undefined {
  if (view === current) return 'page'
  return view === 'settings' && current === 'doctor' ? 'true' : undefined
}
