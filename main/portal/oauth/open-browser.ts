import { CausewayError } from '../../errors'
import type { OpenBrowser } from './token-session'

/**
 * Opens http and https addresses, and nothing else, with `command` (its words, then the address, without a shell)
 * or, without one, with `openExternal`, the system's browser. Rejects with `oauth/browser-not-opened`.
 */
export function createOpenBrowser(options: {
  readonly command?: string
  readonly openExternal: (address: string) => Promise<void>
}): OpenBrowser {
  return async (url) => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notOpened(undefined)
    try {
      await (options.command === undefined || options.command.trim() === ''
        ? options.openExternal(url.href)
        : start(options.command, url.href))
    } catch (cause) {
      throw notOpened(cause)
    }
  }
}

/** Resolves when the program ends, which may be long after the browser has come back; rejects when it fails. */
async function start(command: string, address: string): Promise<void> {
  const { execa, parseCommandString } = await import('execa')
  const [program = '', ...given] = parseCommandString(command)
  const browser = execa(program, [...given, address], { detached: true, stdio: 'ignore', cleanup: false })
  browser.unref()
  await browser
}

function notOpened(cause: unknown): CausewayError {
  return new CausewayError(
    'oauth/browser-not-opened',
    "Your browser didn't open. Choose a browser with --browser, or set a default browser in your system settings.",
    { cause },
  )
}
