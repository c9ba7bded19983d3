import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { useStore } from 'zustand'
import type { AppState, Bridge } from '../preload/contract'
import type { View } from '../preload/views'
import { AttachmentsView } from './features/attachments/attachments-view'
import { ConnectionView } from './features/connection/connection-view'
import { MessagesView } from './features/messages/messages-view'
import { NewsView } from './features/news/news-view'
import { OrganizationView } from './features/organization/organization-view'
import { SettingsView } from './features/settings/settings-view'
import { changeWording, createI18n } from './i18n/i18n'
import type { AppStore } from './store/app-store'
import { AppContext } from './store/context'
import { ErrorBoundary } from './ui/error-boundary'
import { Navigation } from './ui/navigation'
import { NoState } from './ui/no-state'
import { Notices } from './ui/notices'
import styles from './ui/page.module.css'
import { followWindow, theme } from './ui/theme'
import { useGoWhereWanted } from './ui/use-go-where-wanted'
import { useView } from './ui/use-view'

/** The whole window, over the bridge and the mirror of main's state. */
export function App({
  bridge,
  store,
  styleNonce,
}: {
  readonly bridge: Bridge
  readonly store: AppStore
  readonly styleNonce: string
}): ReactNode {
  const mirror = useStore(store)
  switch (mirror.status) {
    case 'loading':
      return null
    case 'failed':
      return <NoState error={mirror.error} />
    case 'ready':
      return (
        <Window state={mirror.state} styleNonce={styleNonce}>
          <AppContext bridge={bridge} state={mirror.state}>
            <Frame />
          </AppContext>
        </Window>
      )
  }
}

/** Language, direction and theme. */
function Window({
  state: { wording, settings },
  styleNonce,
  children,
}: {
  readonly state: AppState
  readonly styleNonce: string
  readonly children: ReactNode
}): ReactNode {
  const [i18n] = useState(() => createI18n(wording))
  useEffect(() => {
    document.documentElement.lang = wording.language
    changeWording(i18n, wording)
  }, [i18n, wording])
  return (
    <I18nextProvider i18n={i18n}>
      <DirectionProvider initialDirection={wording.direction} detectDirection={false}>
        <FollowDirection direction={wording.direction} />
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          colorSchemeManager={followWindow}
          getStyleNonce={() => styleNonce}
          {...(settings.theme === 'system' ? {} : { forceColorScheme: settings.theme })}
        >
          <ErrorBoundary>{children}</ErrorBoundary>
        </MantineProvider>
      </DirectionProvider>
    </I18nextProvider>
  )
}

function FollowDirection({ direction }: { readonly direction: AppState['wording']['direction'] }): ReactNode {
  const { setDirection } = useDirection()
  useEffect(() => {
    setDirection(direction)
  }, [setDirection, direction])
  return null
}

function Frame(): ReactNode {
  const view = useView()
  useGoWhereWanted()
  return (
    <div className={styles.frame}>
      <Navigation current={view} />
      <main className={styles.main}>
        <div className={hasDetails(view) ? styles.wide : styles.column}>
          <Notices />
          <ErrorBoundary key={view}>
            <CurrentView view={view} />
          </ErrorBoundary>
        </div>
      </main>
    </div>
  )
}

/** Whether the view is a list with details beside it, which scroll by themselves, and not one column. */
function hasDetails(view: View): boolean {
  return view === 'attachments' || view === 'news' || view === 'organization'
}

function CurrentView({ view }: { readonly view: View }): ReactNode {
  switch (view) {
    case 'connection':
      return <ConnectionView />
    case 'messages':
      return <MessagesView />
    case 'attachments':
      return <AttachmentsView />
    case 'news':
      return <NewsView />
    case 'organization':
      return <OrganizationView />
    case 'settings':
    case 'doctor':
      return <SettingsView />
  }
}
