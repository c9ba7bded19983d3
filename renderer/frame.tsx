import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { isShown, type View } from '../contract/views'
import { AttachmentsView } from './features/attachments/attachments-view'
import { ConnectionView } from './features/connection/connection-view'
import { DoctorView } from './features/doctor/doctor-view'
import { MessagesView } from './features/messages/messages-view'
import { NewsView } from './features/news/news-view'
import { OrganizationView } from './features/organization/organization-view'
import { SettingsView } from './features/settings/settings-view'
import { useAppState } from './store/context'
import { useTellShownInstance } from './store/shown-instance'
import { ErrorBoundary } from './ui/error-boundary'
import { ErrorNote } from './ui/error-note'
import { Navigation } from './ui/navigation'
import { Notices } from './ui/notices'
import styles from './ui/page.module.css'
import { useGoWhereWanted } from './ui/use-go-where-wanted'
import { useKeptFocus } from './ui/use-kept-focus'
import { useShortcuts } from './ui/use-shortcuts'
import { showView, useView } from './ui/use-view'

/** The ways to the views, and the one that is shown. */
export function Frame(): ReactNode {
  const { t } = useTranslation()
  const view = useShownView()
  const main = useArrival(view)
  useGoWhereWanted()
  useTellShownInstance()
  useKeptFocus()
  const failure = useShortcuts()
  return (
    <div className={styles.frame}>
      <button
        type="button"
        className={styles.skip}
        onClick={() => {
          main.current?.focus()
        }}
      >
        {t('navigation.skip')}
      </button>
      <Navigation current={view} />
      <main ref={main} tabIndex={-1} aria-label={t(`navigation.${view}`)} className={styles.main}>
        <div className={hasDetails(view) ? styles.wide : styles.column}>
          <Notices />
          {failure && <ErrorNote error={failure} />}
          <ErrorBoundary key={view}>
            <CurrentView view={view} />
          </ErrorBoundary>
        </div>
      </main>
    </div>
  )
}

/** The view of the address; the connection where that one is not there any more. */
function useShownView(): View {
  const { instances } = useAppState()
  const view = useView()
  const gone = !isShown(view, instances)
  useEffect(() => {
    if (gone) showView('connection')
  }, [gone])
  return gone ? 'connection' : view
}

/** Who goes to another view is told by its title, and goes on from its beginning: what is returned is for its element. */
function useArrival(view: View): RefObject<HTMLElement | null> {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  const title = `${t(`navigation.${view}`)} · Causeway`
  const shown = useRef(view)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    if (main.current === null) return
    main.current.scrollTop = 0
    main.current.focus({ preventScroll: true })
  }, [view])
  return main
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
    case 'doctor':
      return <DoctorView />
  }
}
