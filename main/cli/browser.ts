import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { createOpenBrowser } from '../portal/oauth/open-browser'
import type { OpenBrowser } from '../portal/oauth/token-session'
import { t } from './language'
import { serial } from '../serial'
import { createHttpClient } from '../platform/http/http-client'
import { terminalText } from '../../contract/safe-text'
import type { Terminal } from './terminal'

/**
 * Returns a function that opens the browser and prints the URL, for users whose browser is elsewhere. If the system has no
 * browser, the login waits for one on another computer; with `--json` it fails, because nobody reads the URL.
 */
export function openBrowserWith(commands: readonly string[], terminal: Terminal): OpenBrowser {
  const openBrowser = createOpenBrowser({ commands, openExternal: openDefault })
  return async (url, destination = url) => {
    terminal.note(`${t('terminal.browser.logIn')}
  ${destination.href}`)
    try {
      await openBrowser(url)
    } catch (error) {
      if (commands.length > 0 || terminal.json) throw error
      terminal.note(t('terminal.browser.none'))
    }
  }
}

/** Opens the system's browser. Rejects if the system's launcher fails, as it does without a browser. */
async function openDefault(address: string): Promise<void> {
  if (process.platform === 'win32') {
    const launcher = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\rundll32.exe`
    const { execa } = await import('execa')
    await execa(launcher, ['url.dll,FileProtocolHandler', address], { windowsHide: true })
    return
  }
  const { default: open } = await import('open')
  const launcher = await open(address)
  const [exitCode] = (await once(launcher, 'exit')) as [number | null]
  if (exitCode !== 0) throw new Error(`The launcher ended with ${exitCode ?? 'a signal'}`)
}

/** The question of a login whose service doesn't say who it is, with the paths that answer it (loopback-redirect.ts). */
const loginQuestion = z.object({ service: z.string(), confirm: z.string(), cancel: z.string() })
type LoginQuestion = z.infer<typeof loginQuestion>

/**
 * Gives the login its answer, as a browser on this computer would. The login itself judges it, and waits on for another.
 * Returns its question, if it has one.
 */
async function answer(
  address: URL,
  terminal: Pick<Terminal, 'note'>,
  method: 'GET' | 'POST' = 'GET',
): Promise<LoginQuestion | undefined> {
  try {
    const { status, headers, text } = await createHttpClient().send(address, { method })
    if (status < 200 || status > 299) terminal.note(t('terminal.browser.notAccepted'))
    else if (headers.get('content-type') === 'application/json') return loginQuestion.parse(JSON.parse(text))
  } catch {
    terminal.note(t('terminal.browser.ended'))
  }
  return undefined
}

/**
 * Returns a function that prints the URL for a browser on another computer, and reads the address that this browser ends at:
 * there is nothing at that address over there, but the user can copy it.
 */
export function loginWithoutBrowser(
  terminal: Pick<Terminal, 'json' | 'note' | 'result'>,
  input: NodeJS.ReadableStream & { unref?: () => void },
): OpenBrowser {
  return (_url, destination) => {
    const redirect = new URL(destination?.searchParams.get('redirect_uri') ?? '')
    if (terminal.json) terminal.result({ authorizeAt: destination?.href, redirectsTo: redirect.href }, '')
    terminal.note(`${t('terminal.browser.open')}

  ${destination?.href ?? ''}

${t('terminal.browser.then', { address: redirect.href })}
${t('terminal.browser.paste')}`)
    const lines = createInterface({ input })
    // The login doesn't wait for a line if the browser reaches this computer after all.
    input.unref?.()
    let question: LoginQuestion | undefined
    const inTurn = serial()
    const take = async (line: string): Promise<void> => {
      // Terminals may mark what is pasted.
      const text = terminalText(line.replace('\u001B[200~', '').replace('\u001B[201~', '')).trim()
      if (text === '') return
      if (question !== undefined) {
        const path = text.toLowerCase() === 'continue' ? question.confirm : question.cancel
        question = undefined
        await answer(new URL(path, redirect), terminal, 'POST')
        return
      }
      const pasted = URL.canParse(text) ? new URL(text) : undefined
      if (pasted?.origin !== redirect.origin || pasted.pathname !== redirect.pathname) {
        terminal.note(t('terminal.browser.notIt', { address: redirect.href }))
        return
      }
      question = await answer(new URL(pasted.search, redirect), terminal)
      if (question === undefined) return
      const service = terminalText(question.service)
      if (terminal.json) terminal.result({ confirm: service }, '')
      terminal.note(t('terminal.browser.question', { service }))
    }
    lines.on('line', (line) => {
      void inTurn(() => take(line))
    })
    return Promise.resolve()
  }
}
