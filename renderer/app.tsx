import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { memo, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { useStore } from 'zustand'
import type { Bridge } from '../contract/bridge'
import type { AppState } from '../contract/state'
import { changeWording, createI18n } from './store/i18n'
import { Frame } from './frame'
import type { AppStore } from './store/app-store'
import { AppContext } from './store/context'
import { ErrorBoundary } from './ui/error-boundary'
import { NoState } from './ui/no-state'
import { followWindow, theme } from './ui/theme'

/** Renders the whole window from main's state. */
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
        <AppContext bridge={bridge} state={mirror.state}>
          <Window
            wording={mirror.state.wording}
            theme={mirror.state.settings.theme}
            styleNonce={styleNonce}
          />
        </AppContext>
      )
  }
}

/** Applies language, direction and theme. Renders again only when one of these changes. */
const Window = memo(function Window({
  wording,
  theme: chosenTheme,
  styleNonce,
}: {
  readonly wording: AppState['wording']
  readonly theme: AppState['settings']['theme']
  readonly styleNonce: string
}): ReactNode {
  const [i18n] = useState(() => createI18n(wording))
  const used = useRef(wording.locale)
  // Before the effects of what is inside, which move the focus: then the styles are computed once.
  useLayoutEffect(() => {
    document.documentElement.lang = wording.language
    // The texts may arrive again unchanged, such as after a settings change.
    if (used.current === wording.locale) return
    used.current = wording.locale
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
          forceColorScheme={chosenTheme === 'system' ? undefined : chosenTheme}
        >
          <ErrorBoundary>
            <Frame />
          </ErrorBoundary>
        </MantineProvider>
      </DirectionProvider>
    </I18nextProvider>
  )
})

function FollowDirection({ direction }: { readonly direction: AppState['wording']['direction'] }): ReactNode {
  const { setDirection } = useDirection()
  useLayoutEffect(() => {
    setDirection(direction)
  }, [setDirection, direction])
  return null
}
