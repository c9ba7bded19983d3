import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { CausewayError } from '../../errors'
import type { OpenBrowser } from './token-session'

/**
 * Opens http and https addresses, and nothing else, with `command` (a program, or its words, then the address, without a shell)
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

/** Resolves when the program ends, which may be long after the callback; rejects if it fails. */
async function start(command: string, address: string): Promise<void> {
  const { execa } = await import('execa')
  const [program = '', ...given] = (await canRun(command.trim())) ? [command.trim()] : words(command)
  const browser = execa(program, [...given, address], { detached: true, stdio: 'ignore', cleanup: false })
  browser.unref()
  await browser
}

/** Returns true for the path of a file that this user may run. */
async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Splits a command at its spaces, except after a backslash and in words that are in double quotes as a whole. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"(?=\s|$)|((?:\\ |\S)+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain.replaceAll('\\ ', ' '),
  )
}

function notOpened(cause: unknown): CausewayError {
  return new CausewayError('oauth/browser-not-opened', { cause })
}
