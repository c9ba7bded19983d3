import { describe, expect, it } from 'vitest'
import { errorText, namesIn, type CatalogueEntry, type ErrorTextOptions } from './error-text'
import type { ErrorReport } from './error-codes'
import { englishTerminalTexts, loadTerminalTexts } from './locales/terminal-texts'
import { englishTexts, loadTexts } from './locales/texts'

function textOf(error: Omit<ErrorReport, 'message'>, options: Partial<ErrorTextOptions> = {}) {
  return errorText(error, englishTexts, { locale: 'en', ...options })
}

describe('the text of an error', () => {
  it('names the details that the error has', () => {
    expect(textOf({ code: 'http/timed-out', details: { host: 'vpn.example.org' } }).what).toBe(
      'The connection to the server vpn.example.org timed out.',
    )
  })

  it('has the plural form of a number in it, in each language', () => {
    const overrides = englishTerminalTexts.terminalErrors
    const after = (seconds?: number) =>
      textOf({ code: 'openvpn/timed-out', details: { seconds } }, { overrides }).what
    expect(after(1)).toBe('The connection timed out after 1 second.')
    expect(after(2)).toBe('The connection timed out after 2 seconds.')
    expect(after(0.5)).toBe('The connection timed out after 0.5 seconds.')
    expect(after()).toBe("The VPN server didn't respond in time.")
  })

  it.each([
    ['de', 1, '1 Sekunde '],
    ['pl', 1, '1 sekundy'],
    ['pl', 3, '3 sekund'],
    ['uk', 21, '21 секунду'],
    ['ar', 5, '5 ثوانٍ'],
    ['ja', 1, '1 秒'],
  ] as const)('has the plural form of %s for %d', async (language, seconds, words) => {
    const { terminalErrors: overrides } = await loadTerminalTexts(language)
    const error = { code: 'openvpn/timed-out', details: { seconds } } as const
    expect(errorText(error, await loadTexts(language), { locale: language, overrides }).what).toContain(words)
  })

  it('says that a service is down for maintenance if it says when to try again', () => {
    const details = { host: 'vpn.example.org', status: 503, retryAfterSeconds: 3600 }
    const planned = {
      what: 'The service vpn.example.org is down for maintenance.',
      todo: 'Try again in 60 minutes.',
    }
    expect(textOf({ code: 'vpn-api/server-error', details })).toEqual(planned)
    expect(textOf({ code: 'discovery/server-error', details })).toEqual(planned)
    expect(textOf({ code: 'vpn-api/server-error', details: { ...details, status: 500 } }).what).toMatch(
      /internal error/,
    )
  })

  it('reads well without them', () => {
    expect(textOf({ code: 'http/timed-out' }).what).toBe('The connection to the server timed out.')
    expect(textOf({ code: 'oauth/server-error', details: { host: 'vpn.example.org' } }).what).toBe(
      "Signing in to the service vpn.example.org isn't possible at the moment.",
    )
    expect(textOf({ code: 'http/insecure-url', details: { host: '' } }).what).toBe(
      "This address isn't secure.",
    )
  })

  it('is the one for the reason or the variant, and the plain one for any other', () => {
    const about = (reason: string) =>
      textOf({ code: 'http/unreachable', details: { host: 'a.example', reason } })
    expect(about('refused').what).toBe('The server a.example refused the connection.')
    expect(about('refused').todo).toBe(about('unknown').todo)
    expect(about('unknown').what).toBe("The server a.example couldn't be reached.")
    expect(about('toString').what).toBe("The server a.example couldn't be reached.")
    expect(textOf({ code: 'secret-store/locked', variant: 'not-responding' }).what).toBe(
      "This computer's key store isn't responding.",
    )
  })

  it('gives way to an override only if that has all its details', () => {
    const overrides = { 'settings/unknown': { todo: 'The settings are {{names}}.' } } as const
    expect(textOf({ code: 'settings/unknown', details: { names: ['one', 'two'] } }, { overrides }).todo).toBe(
      'The settings are one, two.',
    )
    expect(textOf({ code: 'settings/unknown' }, { overrides }).todo).toBe('Choose one from the list.')
  })

  it('keeps a server from writing over the terminal, and from putting in placeholders or filling the screen', () => {
    const what = (host: string) => textOf({ code: 'http/timed-out', details: { host } }).what
    expect(what('a\u001b[2J\r\nb\u202ec')).toBe('The connection to the server a [2J b c timed out.')
    expect(what('{{status}} $& $1')).toBe('The connection to the server {{status}} $& $1 timed out.')
    expect(what('x'.repeat(100_000)).length).toBeLessThan(1100)
  })

  it('says that a service is busy, and when to try again', () => {
    const busy = {
      code: 'service/busy',
      details: { host: 'a.example', status: 429, retryAfterSeconds: 90 },
    } as const
    expect(textOf(busy)).toEqual({ what: 'The service a.example is busy.', todo: 'Try again in 90 seconds.' })
    expect(textOf({ code: 'content/unavailable', details: { status: 503 } })).toEqual({
      what: 'The service has an internal error (status 503).',
      todo: 'Try again later.',
    })
  })

  it('says that a service refused the request for its information, not that it has an internal error', () => {
    const details = { host: 'a.example', status: 403 }
    expect(textOf({ code: 'discovery/server-error', details })).toEqual(
      textOf({ code: 'vpn-api/refused', details }),
    )
    expect(textOf({ code: 'discovery/server-error', details: { ...details, status: 503 } }).what).toBe(
      'The service a.example has an internal error (status 503).',
    )
  })

  it('keeps a name in its own direction in a sentence from right to left', async () => {
    const texts = await loadTexts('ar')
    const error = { code: 'http/timed-out', details: { host: 'vpn.example.org' } } as const
    expect(errorText(error, texts, { locale: 'ar' }).what).toContain('\u2068vpn.example.org\u2069')
  })

  it('leaves no trace of a placeholder in any language', async () => {
    for (const language of ['en', 'ar', 'de', 'ja', 'tr'] as const) {
      const texts = await loadTexts(language)
      for (const [code, entry] of Object.entries(texts.errors) as [ErrorReport['code'], CatalogueEntry][]) {
        for (const variant of ['', ...Object.keys(entry.variants ?? {})]) {
          const { what, todo } = errorText({ code, variant }, texts, { locale: language })
          expect(namesIn(`${what} ${todo}`), code).toEqual([])
          expect(`${what} ${todo}`, code).not.toMatch(/ {2}|[(（] *[)）]| [.,。](?!\w)/)
        }
      }
    }
  })
})
