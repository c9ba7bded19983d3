import { execa, parseCommandString } from 'execa'
import open from 'open'
import { CausewayError } from '../errors'
import type { OpenBrowser } from '../oauth/token-session'
import type { Terminal } from './terminal'

/**
 * Opens addresses with `command` (no shell; the address is its last argument), else with the system's browser. The
 * address is also shown, for whoever has the browser elsewhere.
 */
export function openBrowserWith(command: string | undefined, terminal: Terminal): OpenBrowser {
  return async (url) => {
    terminal.note(`Log in with your browser. If it does not open, visit\n  ${url.href}`)
    try {
      if (command === undefined || command.trim() === '') {
        await open(url.href)
        return
      }
      const [program = '', ...args] = parseCommandString(command)
      const browser = execa(program, [...args, url.href], { stdio: 'ignore', detached: true, cleanup: false })
      browser.unref()
      await browser
    } catch (cause) {
      throw new CausewayError(
        'oauth/browser-not-opened',
        'The browser could not be opened. Name one that works here with --browser.',
        { cause, ...(command === undefined ? {} : { details: { command } }) },
      )
    }
  }
}
