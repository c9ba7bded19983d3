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
import { mainViews, type MainView, type View } from '../../preload/views'
import styles from './navigation.module.css'

const icons: Readonly<Record<MainView, Icon>> = {
  connection: IconPlugConnected,
  messages: IconMessage,
  attachments: IconPaperclip,
  news: IconNews,
  organization: IconBuildingCommunity,
  settings: IconSettings,
}

/** The way to every view: at the left in a wide window, at the bottom in a narrow one. */
export function Navigation({ current }: { readonly current: View }): ReactNode {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('navigation.label')} className={styles.navigation}>
      {mainViews.map((view) => {
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
