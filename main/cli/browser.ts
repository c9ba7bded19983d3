import open from 'open'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import type { OpenBrowser } from '../portal/oauth/token-session'
import type { Terminal } from './terminal'

/** Opens the browser, and shows the address too, for whoever has the browser elsewhere. */
export function openBrowserWith(command: string | undefined, terminal: Terminal): OpenBrowser {
  const openBrowser = createOpenBrowser({
    ...(command === undefined ? {} : { command }),
    openExternal: async (address) => {
      await open(address)
    },
  })
  return async (url, destination = url) => {
    terminal.note(`Log in with your browser. If it doesn't open, visit
  ${destination.href}`)
    await openBrowser(url)
  }
}
