import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { urlProblem } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import type { OpenBrowser } from './token-session'

/**
 * Returns the commands of browsers, the preferred one first: the one that the user has given, else those of `$BROWSER`, which
 * may have several with colons between them. Windows has colons in paths, and no such convention.
 */
export function browserCommands(
  given: string | undefined,
  { BROWSER = '' }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly string[] {
  // A colon in a word that is quoted or escaped is one of the command's own.
  const separated = BROWSER.replaceAll(/"[^"]*"|(?:\\ |\S)+/g, (word) =>
    /[\\"']/.test(word) ? word : word.replaceAll(':', '\n'),
  )
  const listed = platform === 'win32' ? [BROWSER] : separated.split('\n')
  return (given === undefined ? listed : [given]).filter((command) => command.trim() !== '')
}

/**
 * Opens http and https addresses, and nothing else, with the first of `commands` that succeeds or, without one, with
 * `openExternal`, the system's browser. A command is a program, or its words, without a shell; the address takes the place of
 * `%s`, else it is the last argument. Rejects with `oauth/browser-not-opened`.
 */
export function createOpenBrowser(options: {
  readonly commands?: readonly string[]
  readonly openExternal: (address: string) => Promise<void>
}): OpenBrowser {
  return async (url) => {
    if (urlProblem('page', url) !== undefined) throw notOpened(undefined)
    const starts = (options.commands ?? []).map((command) => () => start(command, url.href))
    let problem: unknown
    for (const open of starts.length === 0 ? [() => options.openExternal(url.href)] : starts) {
      try {
        await open()
        return
      } catch (cause) {
        problem ??= cause
      }
    }
    throw notOpened(problem)
  }
}

/** Resolves when the program ends, which may be long after the callback; rejects if it fails. */
async function start(command: string, address: string): Promise<void> {
  const { execa } = await import('execa')
  const [program = '', ...given] = (await canRun(command.trim())) ? [command.trim()] : words(command)
  const named = given.map((word) => word.replaceAll(/%[s%]/g, (mark) => (mark === '%s' ? address : '%')))
  const args = given.some((word) => /(?<!%)(?:%%)*%s/.test(word)) ? named : [...given, address]
  const browser = execa(program, args, { detached: true, stdio: 'ignore', cleanup: false })
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
