import { CausewayError } from '../../errors'
import { printable } from '../../../contract/safe-text'

/**
 * The messages of OpenVPN's interactive service on Windows (doc/interactive-service-notes.rst and
 * src/openvpnserv/interactive.c of OpenVPN): UTF-16LE in both directions, without a length or an end mark. Lines end with LF
 * after a start, and with CR LF in errors, which Windows formats.
 */

/** The limit of GetStartupData. */
const maxStartupCharacters = 4096
const startupDataError = 0x20000001
const openVpnError = 0x20000000

export interface StartupData {
  /** The working directory of OpenVPN. */
  readonly folder: string
  /** OpenVPN's command line in Windows syntax. */
  readonly options: string
  /** OpenVPN's standard input. */
  readonly input: string
}

/** @throws CausewayError `helper/failed` for texts that contain NUL or are too long */
export function startupMessage({ folder, options, input }: StartupData): Buffer {
  const texts = [folder, options, input]
  const message = texts.map((text) => `${text}\0`).join('')
  if (texts.some((text) => text.includes('\0')) || message.length > maxStartupCharacters) {
    throw serviceFailed('startup-data')
  }
  return Buffer.from(message, 'utf16le')
}

/** Reads the message of a successful start; its length separates it from the next message. */
export function readStart(text: string): { readonly pid: number; readonly length: number } | undefined {
  const [whole, hex = ''] = /^0x00000000\r?\n0x([0-9a-f]{8})\r?\nProcess ID/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const pid = Number.parseInt(hex, 16)
  // 0 and 4 are system processes, which must never be killed.
  return pid > 4 ? { pid, length: whole.length } : undefined
}

interface ServiceFailure {
  readonly code: number
  /** The service's description of the failure. */
  readonly what: string
  /** OpenVPN's exit code, if it ran. */
  readonly exitCode?: number
}

/** Reads the message of a failure from the whole text, because it has no end mark. */
export function readFailure(text: string): ServiceFailure | undefined {
  const [whole, hex = '', what = ''] = /^0x([0-9a-f]{8})\r?\n([^\r\n]*)\r?\n/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const code = Number.parseInt(hex, 16)
  if (code === 0) return undefined
  const digits = code === openVpnError ? /exit code = (\d{1,10})$/.exec(what)?.[1] : undefined
  return { code, what, ...(digits !== undefined && { exitCode: Number(digits) }) }
}

/** Returns the error for a service that started nothing. Its text is only shown, and shortened. */
export function serviceError({ code, what }: ServiceFailure): CausewayError {
  // The same code is used for an invalid start-up message, which names the function.
  if (code === startupDataError && !what.startsWith('GetStartupData')) {
    return new CausewayError('helper/service-refused', { details: { reason: printable(what, 300) } })
  }
  return serviceFailed('service-error', {
    code: `0x${code.toString(16).padStart(8, '0')}`,
    what: printable(what, 200),
  })
}

export function serviceFailed(reason: string, details: Readonly<Record<string, string>> = {}): CausewayError {
  return new CausewayError('helper/failed', { variant: 'openvpn-service', details: { reason, ...details } })
}

export function serviceMissing(): CausewayError {
  return new CausewayError('helper/service-missing')
}
