import {
  IconBuildingCommunity,
  IconMessage,
  IconNews,
  IconPaperclip,
  IconPlugConnected,
  IconSettings,
  type Icon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MainView, View } from '../../preload/views'
import { useAppState } from '../store/context'
import styles from './navigation.module.css'
import { shownViews } from './shown-views'

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
  return (
    <nav aria-label={t('navigation.label')} className={styles.navigation}>
      {shownViews(instances).map((view) => {
        const ViewIcon = icons[view]
        return (
          <a
            key={view}
            href={`#${view}`}
            className={styles.link}
            aria-current={view === current ? 'page' : undefined}
          >
            <ViewIcon size={20} stroke={1.75} aria-hidden />
            <span>{t(`navigation.${view}`)}</span>
          </a>
        )
      })}
    </nav>
  )
}
