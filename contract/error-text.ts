import type { ErrorCode, ErrorReport } from './error-codes'
import { printable } from './safe-text'

/** The two sentences of an error: what happened, and what to do. */
export interface ErrorText {
  readonly what: string
  readonly todo: string
}

/** A text for each plural form of the first number in it, named as i18next does. */
type Plurals = Readonly<
  Partial<Record<`${keyof ErrorText}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`, string>>
>

/** The text of a code, and what a variant of it says otherwise. */
export interface CatalogueEntry extends ErrorText {
  readonly variants?: Readonly<Record<string, Partial<ErrorText> & Plurals>>
}

/** The texts of errors of one language: namespaces `errors` and `error`. */
export interface ErrorCatalogue {
  readonly errors: Readonly<Record<ErrorCode, CatalogueEntry>>
  readonly error: { readonly tryAgain: string; readonly maintenance: string }
}

/** Texts that go before those of a catalogue. */
export type CatalogueOverrides = Readonly<Partial<Record<ErrorCode, Partial<CatalogueEntry> & Plurals>>>

export interface ErrorTextOptions {
  readonly locale: string
  readonly overrides?: CatalogueOverrides
}

/** Longer than any path, list of settings or words of a server that is worth reading. */
const maxLength = 1000

/** Codes of which the status says more: a service that is busy, or has an internal problem, refused nothing. */
const refusals: readonly ErrorCode[] = [
  'service/busy',
  'vpn-api/server-error',
  'discovery/server-error',
  'attachments/refused',
  'attachments/unavailable',
  'organizations/refused',
  'content/refused',
  'content/unavailable',
]

/**
 * Returns the text of an error. The variant of its code is `variant`, else `details.reason`; a variant without a text, or
 * with a placeholder for a detail that the error lacks, gives way to the text of the code. There, a placeholder without a
 * value is left out, with the parentheses around it.
 */
export function errorText(
  { code, variant, details = {} }: Pick<ErrorReport, 'code' | 'variant' | 'details'>,
  { errors, error }: ErrorCatalogue,
  options: ErrorTextOptions,
): ErrorText {
  const values = valuesOf(details)
  const { status, retryAfterSeconds, reason } = details
  if (refusals.includes(code) && typeof status === 'number' && (status === 429 || status >= 500)) {
    const plain = errors[status === 429 ? 'service/busy' : 'vpn-api/server-error']
    // A server that says when it's back didn't just fail.
    const isPlanned = status === 503 && isTime(retryAfterSeconds)
    return {
      what: filled(isPlanned ? error.maintenance : plain.what, values),
      todo: isTime(retryAfterSeconds)
        ? filled(error.tryAgain, new Map([['when', inTime(retryAfterSeconds, options.locale)]]))
        : plain.todo,
    }
  }
  const plain = errors[isRefusal(code, status) ? 'vpn-api/refused' : code]
  const override = options.overrides?.[code]
  const name = variant ?? (typeof reason === 'string' ? reason : '')
  const pick = (part: keyof ErrorText): string => {
    const candidates = [variantOf(override, name), variantOf(plain, name), override].map(
      (each) => each && textIn(each, part, details, options.locale),
    )
    const complete = candidates.find(
      (text) => text !== undefined && namesIn(text).every((each) => values.has(each)),
    )
    return filled(complete ?? plain[part], values)
  }
  return { what: pick('what'), todo: pick('todo') }
}

/** Returns a text of an entry, in the plural form that the number in it needs. */
function textIn(
  entry: Partial<ErrorText> & Plurals,
  part: keyof ErrorText,
  details: Readonly<Record<string, unknown>>,
  locale: string,
): string | undefined {
  const other = entry[`${part}_other`]
  if (other === undefined) return entry[part]
  const number = namesIn(other)
    .map((name) => details[name])
    .find((value) => typeof value === 'number')
  if (number === undefined) return other
  return entry[`${part}_${new Intl.PluralRules(locale).select(number)}`] ?? other
}

/** Codes whose reason is Causeway's own word for what happened, not a line of OpenVPN's log. */
const ownReasons: readonly ErrorCode[] = [
  'openvpn/unreachable',
  'openvpn/name-not-resolved',
  'openvpn/certificate-rejected',
]

/** Returns the line of OpenVPN's log that an error is about, for the details; undefined if there is none. */
export function openVpnLine({ code, details }: Pick<ErrorReport, 'code' | 'details'>): string | undefined {
  const reason = details?.reason
  return code.startsWith('openvpn/') &&
    !ownReasons.includes(code) &&
    typeof reason === 'string' &&
    reason !== ''
    ? printable(reason, maxLength)
    : undefined
}

/** Returns true if a server didn't fail, but refuses to say which service it offers, as a firewall does with 403. */
function isRefusal(code: ErrorCode, status: unknown): boolean {
  return code === 'discovery/server-error' && typeof status === 'number' && status < 500
}

function variantOf(entry: Partial<CatalogueEntry> | undefined, name: string): Partial<ErrorText> | undefined {
  const variants = entry?.variants
  return variants !== undefined && Object.hasOwn(variants, name) ? variants[name] : undefined
}

/** The names of the placeholders in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/{{(\w+)}}/g)].map(([, name = '']) => name)
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text
    .replace(
      / ?[(（][^()（）]*{{(\w+)}}[^()（）]*[)）]| ?\u2068?{{(\w+)}}\u2069?/g,
      (found, inside?: string, alone?: string) => (values.has(inside ?? alone ?? '') ? found : ''),
    )
    .replace(/{{(\w+)}}/g, (_, name: string) => values.get(name) ?? '')
}

/** The details that a sentence can hold. They may come from a server. */
function valuesOf(details: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(details).flatMap(([name, value]) => {
      const text = printable((Array.isArray(value) ? value : [value]).filter(isPlain).join(', '), maxLength)
      return text === '' ? [] : [[name, text]]
    }),
  )
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** Returns whether to show a wait: from a second to a day. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 1 && seconds <= 86_400
}

/** Such as `in 2 minutes`: in the largest unit of which there are two, rounded up. */
function inTime(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  if (seconds < 120) return format.format(Math.ceil(seconds), 'second')
  if (seconds < 7200) return format.format(Math.ceil(seconds / 60), 'minute')
  return format.format(Math.ceil(seconds / 3600), 'hour')
}
