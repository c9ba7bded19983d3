import './ui/mantine-styles'
import './ui/base.css'
import './ui/forced-colors.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { mirrorState } from './store/app-store'
import { checkedBridge } from './store/bridge'
import { reportDefects } from './store/report-defects'
import { loadTheRest } from './ui/loaded-later'

const reportDefect = reportDefects(window.causeway)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element.')

new PerformanceObserver((entries, observer) => {
  if (entries.getEntriesByName('first-contentful-paint').length === 0) return
  observer.disconnect()
  window.causeway.painted()
  loadTheRest().catch(reportDefect)
}).observe({ type: 'paint', buffered: true })

const bridge = checkedBridge(window.causeway, reportDefect)
const { store } = mirrorState(bridge)
// Main writes a new nonce into every load of the page (main/desktop/window/renderer-files.ts).
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''

createRoot(root, { onCaughtError: reportDefect }).render(
  <StrictMode>
    <App bridge={bridge} store={store} styleNonce={styleNonce} />
  </StrictMode>,
)
