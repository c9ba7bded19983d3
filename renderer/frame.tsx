import { useDeferredValue, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { browserWait } from '../contract/browser-wait'
import { isUnderWay } from '../contract/connection-summary'
import { isShown, type View } from '../contract/views'
import { ConnectionView } from './features/connection/connection-view'
import { useAppState } from './store/context'
import { useServiceName } from './store/profile-name'
import { useDescription } from './store/use-description'
import { useForgottenServices } from './store/use-forgotten-services'
import { ErrorBoundary } from './ui/error-boundary'
import { ErrorNote } from './ui/error-note'
import { loadedLater } from './ui/loaded-later'
import { Navigation } from './ui/navigation'
import styles from './ui/page.module.css'
import { focusArrival } from './ui/focus-arrival'
import { useRequestedView } from './ui/use-requested-view'
import { useFocusRecovery } from './ui/use-focus-recovery'
import { useShortcuts } from './ui/use-shortcuts'
import { showView, useView } from './ui/use-view'

const OtherView = loadedLater(async () => (await import('./other-view')).OtherView)

/** Navigation and the current view. */
export function Frame(): ReactNode {
  const { t } = useTranslation()
  const chosen = useCurrentView()
  const rendered = useDeferredValue(chosen)
  // The navigation answers at once, and React renders the view in short tasks; but keys act on the main view at once.
  const view = chosen === 'connection' ? chosen : rendered
  const main = useArrival(view)
  useRequestedView()
  useForgottenServices()
  useFocusRecovery()
  const failure = useShortcuts()
  return (
    <div className={styles.frame}>
      <button
        type="button"
        className={styles.skip}
        onClick={() => {
          focusArrival(main.current)
        }}
      >
        {t('navigation.skip')}
      </button>
      <Navigation current={chosen} />
      <main ref={main} tabIndex={-1} aria-label={t(`navigation.${view}`)} className={styles.main}>
        <div className={layoutOf(view)} data-view={view}>
          {failure && <ErrorNote error={failure} />}
          <ErrorBoundary key={view}>
            <CurrentView view={view} />
          </ErrorBoundary>
        </div>
      </main>
    </div>
  )
}

/** Returns the view of the address, or the connection if that view no longer exists. */
function useCurrentView(): View {
  const { instances } = useAppState()
  const view = useView()
  const gone = !isShown(view, instances)
  useEffect(() => {
    if (gone) showView('connection')
  }, [gone])
  return gone ? 'connection' : view
}

/** On a change of view: sets the title and moves the focus to the returned element. */
function useArrival(view: View): RefObject<HTMLElement | null> {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  const title = [useStateTitle(), `${t(`navigation.${view}`)} · Causeway`].filter(Boolean).join(' – ')
  const previous = useRef(view)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (previous.current === view) return
    previous.current = view
    if (main.current === null) return
    main.current.scrollTop = 0
    focusArrival(main.current)
  }, [view])
  return main
}

/** Returns the state of a connection that is under way and its profile, or of a sign-in and its service, for the title of the window. */
function useStateTitle(): string {
  const { t } = useTranslation()
  const { connection, instances } = useAppState()
  const { word, glance, values } = useDescription()
  const waiting = useServiceName(browserWait(instances)?.instanceId)
  if (waiting !== '') return `${t(glance)}: ${waiting}`
  if (isUnderWay(connection)) return `${t(glance)}: ${values.profile}`
  return word === 'blocked' ? t('connection.word.blocked') : ''
}

/** The stage has the whole width; lists with details beside them scroll separately; other views are one column. */
function layoutOf(view: View): string | undefined {
  if (view === 'connection') return styles.stageView
  return view === 'attachments' || view === 'news' || view === 'organization' ? styles.wide : styles.column
}

function CurrentView({ view }: { readonly view: View }): ReactNode {
  return view === 'connection' ? <ConnectionView /> : <OtherView view={view} />
}
