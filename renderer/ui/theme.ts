import { createTheme, type MantineColorSchemeManager, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dce5fb',
  '#b7c8f1',
  '#8fa9e8',
  '#6d8fe0',
  '#577edb',
  '#4a75d9',
  '#3a63c1',
  '#3158ad',
  '#244b99',
]

/** Greys with the hue of the surfaces in base.css. */
const dark: MantineColorsTuple = [
  '#e7eaee',
  '#c3cad3',
  '#a0a9b5',
  '#6b7480',
  '#454d59',
  '#323842',
  '#262b33',
  '#1d2128',
  '#181b21',
  '#14171c',
]

/** In the view, which screen readers can jump to, but as if it were above the window: nothing of the view cuts it off. */
const dropDown = { portalProps: { target: 'main' }, floatingStrategy: 'fixed' }

/** Type 12/14/16/26, space in steps of 4, corners 12, one shadow, the system's font. */
export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 12,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Cantarell, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '16px', lg: '26px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: { sm: '0 1px 2px rgb(16 24 40 / 8%), 0 2px 8px rgb(16 24 40 / 6%)' },
  respectReducedMotion: true,
  components: {
    // Its arrow would be read as a picture without a name.
    NativeSelect: { defaultProps: { rightSectionProps: { 'aria-hidden': true } } },
    Combobox: { defaultProps: dropDown },
    // The first item has the focus, not a part of the menu that is no item.
    Menu: { defaultProps: { ...dropDown, withInitialFocusPlaceholder: false } },
  },
})

/** Main stores the setting, and without one the page follows the window. Nothing is stored here. */
export const followWindow: MantineColorSchemeManager = {
  get: (standard) => standard,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}
