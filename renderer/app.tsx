import { MantineProvider } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { useStore } from 'zustand'
import type { Bridge } from '../preload/contract'
import { AttachmentsView } from './features/attachments/attachments-view'
import { ConnectionView } from './features/connection/connection-view'
import { MessagesView } from './features/messages/messages-view'
import { NewsView } from './features/news/news-view'
import { OrganizationView } from './features/organization/organization-view'
import { SettingsView } from './features/settings/settings-view'
import { bestLanguage, createI18n } from './i18n/i18n'
import type { AppStore } from './store/app-store'
import { AppContext } from './store/context'
import { ErrorBoundary } from './ui/error-boundary'
import { ErrorNote } from './ui/error-note'
import { Navigation } from './ui/navigation'
import { Notices } from './ui/notices'
import styles from './ui/page.module.css'
import { followWindow, theme } from './ui/theme'
import { useView, type View } from './ui/use-view'

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
  const language = bestLanguage(mirror.status === 'ready' ? mirror.state.languages : navigator.languages)
  const chosenTheme = mirror.status === 'ready' ? mirror.state.settings.theme : 'system'
  const [i18n] = useState(() => createI18n(language))
  useEffect(() => {
    document.documentElement.lang = language
    void i18n.changeLanguage(language)
  }, [i18n, language])

  return (
    <I18nextProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={followWindow}
        getStyleNonce={() => styleNonce}
        {...(chosenTheme === 'system' ? {} : { forceColorScheme: chosenTheme })}
      >
        <ErrorBoundary>
          {mirror.status === 'ready' && (
            <AppContext bridge={bridge} state={mirror.state}>
              <Frame />
            </AppContext>
          )}
          {mirror.status === 'failed' && (
            <div className={styles.column}>
              <ErrorNote error={mirror.error} />
            </div>
          )}
        </ErrorBoundary>
      </MantineProvider>
    </I18nextProvider>
  )
}

function Frame(): ReactNode {
  const view = useView()
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
      return <SettingsView />
  }
}
